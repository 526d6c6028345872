CASE WHEN (("the ""colour""" IS NULL OR TRIM(CAST("the ""colour""" AS VARCHAR(1000))) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR TRIM(CAST("the ""colour""" AS VARCHAR(1000))) IN ('blue', 'it''s', 'red'))
THEN CASE WHEN CASE WHEN ("age" IS NULL OR TRIM(CAST("age" AS VARCHAR(1000))) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN 2.8333333333333335E+00 ELSE CAST(TRIM(CAST("age" AS VARCHAR(1000))) AS DOUBLE PRECISION) END < 3.0000000000000004E-01
    THEN '</script>'
    ELSE CASE WHEN (("the ""colour""" IS NULL OR TRIM(CAST("the ""colour""" AS VARCHAR(1000))) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR NOT TRIM(CAST("the ""colour""" AS VARCHAR(1000))) IN ('blue'))
        THEN CASE WHEN -1E-01 * CASE WHEN ("age" IS NULL OR TRIM(CAST("age" AS VARCHAR(1000))) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN 2.8333333333333335E+00 ELSE CAST(TRIM(CAST("age" AS VARCHAR(1000))) AS DOUBLE PRECISION) END + 2E+00 * CASE WHEN ("age" IS NULL OR TRIM(CAST("age" AS VARCHAR(1000))) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN 1E+00 ELSE 0E+00 END + 1E+00 * CASE WHEN TRIM(CAST("the ""colour""" AS VARCHAR(1000))) IN ('red') THEN 1E+00 ELSE 0E+00 END < 3.333333333333333E-01
            THEN '</script>'
            ELSE 'it''s'
          END
        ELSE 'it''s'
      END
  END
END
