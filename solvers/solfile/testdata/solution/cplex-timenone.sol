<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header
   problemName="octgen.mps"
   solutionName="incumbent"
   solutionIndex="0"
   objectiveValue="0"
   solutionTypeValue="3"
   solutionTypeString="primal"
   solutionStatusValue="108"
   solutionStatusString="time limit exceeded, no integer solution"
   solutionMethodString="mip"
   primalFeasible="1"
   dualFeasible="1"
   MIPNodes="3"
   MIPIterations="12"
   writeLevel="1"/>
 <quality
   epInt="1e-05"
   maxIntInfeas="0"/>
 <linearConstraints>
  <constraint name="cap" index="0" slack="0"/>
 </linearConstraints>
 <variables>
 </variables>
</CPLEXSolution>
