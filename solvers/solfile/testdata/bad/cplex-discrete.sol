<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header
   problemName="octgen.mps"
   solutionName="incumbent"
   solutionIndex="0"
   objectiveValue="-19"
   solutionTypeValue="3"
   solutionTypeString="primal"
   solutionStatusValue="101"
   solutionStatusString=""
   solutionMethodString="mip"
   primalFeasible="1"
   dualFeasible="1"
   MIPNodes="3"
   MIPIterations="12"
   writeLevel="2"/>
 <quality
   epInt="1e-05"
   maxIntInfeas="0"/>
 <linearConstraints>
  <constraint name="cap" index="0" slack="0"/>
 </linearConstraints>
 <variables>
  <variable name="x#1" index="0" value="1"/>
  <variable name="octgen_c2" index="1" value="2"/>
 </variables>
</CPLEXSolution>
