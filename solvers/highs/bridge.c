//go:build cgo && !nohighs

#include "bridge.h"

#include <string.h>

#include "_cgo_export.h"

// lanl's binding refers to HiGHS's constants as external ones. That is what
// they are up to HiGHS 1.11; from 1.12 on its header makes them static, and
// these weak definitions take their place.
#define WEAK_CONSTANT(name, value) \
  extern const HighsInt name;      \
  __attribute__((weak)) const HighsInt name = value

WEAK_CONSTANT(kHighsStatusError, -1);
WEAK_CONSTANT(kHighsStatusOk, 0);
WEAK_CONSTANT(kHighsStatusWarning, 1);
WEAK_CONSTANT(kHighsVarTypeContinuous, 0);
WEAK_CONSTANT(kHighsVarTypeInteger, 1);
WEAK_CONSTANT(kHighsVarTypeSemiContinuous, 2);
WEAK_CONSTANT(kHighsVarTypeSemiInteger, 3);
WEAK_CONSTANT(kHighsVarTypeImplicitInteger, 4);
WEAK_CONSTANT(kHighsObjSenseMinimize, 1);
WEAK_CONSTANT(kHighsObjSenseMaximize, -1);
WEAK_CONSTANT(kHighsMatrixFormatColwise, 1);
WEAK_CONSTANT(kHighsMatrixFormatRowwise, 2);
WEAK_CONSTANT(kHighsHessianFormatTriangular, 1);
WEAK_CONSTANT(kHighsHessianFormatSquare, 2);
WEAK_CONSTANT(kHighsSolutionStatusNone, 0);
WEAK_CONSTANT(kHighsSolutionStatusInfeasible, 1);
WEAK_CONSTANT(kHighsSolutionStatusFeasible, 2);
WEAK_CONSTANT(kHighsBasisValidityInvalid, 0);
WEAK_CONSTANT(kHighsBasisValidityValid, 1);
WEAK_CONSTANT(kHighsModelStatusNotset, 0);
WEAK_CONSTANT(kHighsModelStatusLoadError, 1);
WEAK_CONSTANT(kHighsModelStatusModelError, 2);
WEAK_CONSTANT(kHighsModelStatusPresolveError, 3);
WEAK_CONSTANT(kHighsModelStatusSolveError, 4);
WEAK_CONSTANT(kHighsModelStatusPostsolveError, 5);
WEAK_CONSTANT(kHighsModelStatusModelEmpty, 6);
WEAK_CONSTANT(kHighsModelStatusOptimal, 7);
WEAK_CONSTANT(kHighsModelStatusInfeasible, 8);
WEAK_CONSTANT(kHighsModelStatusUnboundedOrInfeasible, 9);
WEAK_CONSTANT(kHighsModelStatusUnbounded, 10);
WEAK_CONSTANT(kHighsModelStatusObjectiveBound, 11);
WEAK_CONSTANT(kHighsModelStatusObjectiveTarget, 12);
WEAK_CONSTANT(kHighsModelStatusTimeLimit, 13);
WEAK_CONSTANT(kHighsModelStatusIterationLimit, 14);
WEAK_CONSTANT(kHighsModelStatusUnknown, 15);
WEAK_CONSTANT(kHighsBasisStatusLower, 0);
WEAK_CONSTANT(kHighsBasisStatusBasic, 1);
WEAK_CONSTANT(kHighsBasisStatusUpper, 2);
WEAK_CONSTANT(kHighsBasisStatusZero, 3);
WEAK_CONSTANT(kHighsBasisStatusNonbasic, 4);

// Types of callbacks and of log lines, as in HiGHS's lp_data/HConst.h.
enum {
  kLogging = 0,
  kSimplexInterrupt = 1,
  kIpmInterrupt = 2,
  kMipImprovingSolution = 4,
  kMipLogging = 5,
  kMipInterrupt = 6
};
enum { kLogWarning = 4 };

static int stop_requested(octgen_control* control) {
  return __atomic_load_n(&control->stop, __ATOMIC_RELAXED) != 0;
}

static void octgen_highs_callback(int type, const char* message, const HighsCallbackDataOut* out,
                                  HighsCallbackDataIn* in, void* data) {
  octgen_control* control = data;
  switch (type) {
    case kLogging:
      if (control->log || out->log_type >= kLogWarning || strstr(message, "MIP start solution"))
        octgenHighsLog(control->handle, out->log_type, (char*)message);
      break;
    case kSimplexInterrupt:
    case kIpmInterrupt:
      if (in) in->user_interrupt = stop_requested(control);
      break;
    case kMipInterrupt:
      if (control->iter_limit > 0 && out->mip_total_lp_iterations >= control->iter_limit)
        control->iter_reached = 1;
      if (in) in->user_interrupt = control->iter_reached || stop_requested(control);
      break;
    case kMipImprovingSolution:
      octgenHighsProgress(control->handle, out->objective_function_value, out->mip_dual_bound,
                          out->mip_node_count, out->mip_total_lp_iterations, out->mip_solution);
      break;
    case kMipLogging:
      octgenHighsProgress(control->handle, out->mip_primal_bound, out->mip_dual_bound,
                          out->mip_node_count, out->mip_total_lp_iterations, NULL);
      break;
  }
}

HighsInt octgen_highs_listen(void* highs, octgen_control* control) {
  static const int types[] = {kLogging,    kSimplexInterrupt,     kIpmInterrupt,
                              kMipLogging, kMipImprovingSolution, kMipInterrupt};
  HighsInt status = Highs_setCallback(highs, octgen_highs_callback, control);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (Highs_startCallback(highs, types[i]) != 0) status = -1;
  return status;
}
