<html>
<variable name="x#1" value="1"/></html>