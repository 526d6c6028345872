<CPLEXSolution>
<variables>
<variable name=x/>