<CPLEXSolution>
<CPLEXSolution>
</CPLEXSolution></CPLEXSolution>