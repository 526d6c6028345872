<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header problemName="model.mps" solutionName="incumbent" solutionIndex="-1" objectiveValue="3.5" solutionTypeValue="3" solutionTypeString="primal" solutionStatusValue="101" solutionStatusString="integer optimal solution" solutionMethodString="mip" primalFeasible="1" dualFeasible="1" MIPNodes="7" MIPIterations="12" writeLevel="1"/>
 <quality epInt="1e-05" epRHS="1e-06" maxIntInfeas="0" maxPrimalInfeas="0" maxX="3" maxSlack="0"/>
 <linearConstraints>
  <constraint name="cover" index="0" slack="0"/>
  <constraint name="demand" index="1" slack="0"/>
 </linearConstraints>
 <variables>
  <variable name="x1" index="0" value="3"/>
  <variable name="x2" index="1" value="0"/>
  <variable name="x4" index="2" value="1.5"/>
 </variables>
</CPLEXSolution>
