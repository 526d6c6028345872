<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header
   problemName="octgen.mps"
   solutionName="incumbent"
   solutionIndex="0"
   objectiveValue="-19.541666666666668"
   solutionTypeValue="3"
   solutionTypeString="primal"
   solutionStatusValue="101"
   solutionStatusString="integer optimal solution"
   solutionMethodString="mip"
   primalFeasible="1"
   dualFeasible="1"
   MIPNodes="-3"
   MIPIterations="12"
   writeLevel="1"/>
 <quality
   epInt="1e-05"
   maxIntInfeas="0"/>
 <linearConstraints>
  <constraint name="cap" index="0" slack="0"/>
 </linearConstraints>
 <variables>
  <variable name="x#1" index="0" value="1"/>
  <variable name="octgen_c2" index="1" value="2"/>
  <variable name="a&amp;b&lt;c&gt;" index="2" value="2.5"/>
  <variable name="octgen_c4" index="3" value="-0.33333333333333331"/>
  <variable name="w[3](4);" index="4" value="0"/>
  <variable name="octgen_c6" index="5" value="-7"/>
  <variable name="octgen_one" index="6" value="1"/>
 </variables>
</CPLEXSolution>
