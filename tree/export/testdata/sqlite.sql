CASE WHEN ((`age` IS NULL OR TRIM(`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR `age` = CAST(`age` AS NUMERIC) AND ABS(CAST(`age` AS REAL)) <= 1e+300)
  AND ((`the "colour"` IS NULL OR TRIM(`the "colour"`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR TRIM(`the "colour"`) IN ('blue', 'it''s', 'red'))
THEN CASE WHEN CASE WHEN (`age` IS NULL OR TRIM(`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN (6380099472108203.0 / 1125899906842624.0 / 2.0) ELSE CAST(`age` AS REAL) END < (1351079888211149.0 / 1125899906842624.0 / 4.0)
    THEN '</script>'
    ELSE CASE WHEN ((`the "colour"` IS NULL OR TRIM(`the "colour"`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR NOT TRIM(`the "colour"`) IN ('blue'))
        THEN CASE WHEN -0.1 * CASE WHEN (`age` IS NULL OR TRIM(`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN (6380099472108203.0 / 1125899906842624.0 / 2.0) ELSE CAST(`age` AS REAL) END + 2.0 * CASE WHEN (`age` IS NULL OR TRIM(`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN 1.0 ELSE 0.0 END + 1.0 * CASE WHEN TRIM(`the "colour"`) IN ('red') THEN 1.0 ELSE 0.0 END < 0.3333333333333333
            THEN '</script>'
            ELSE 'it''s'
          END
        ELSE 'it''s'
      END
  END
END
