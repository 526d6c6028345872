<CPLEXSolution>
<variables>
<variable value="1"/></variables></CPLEXSolution>