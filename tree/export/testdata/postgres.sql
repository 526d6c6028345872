CASE WHEN (("age" IS NULL OR TRIM(CAST("age" AS text)) COLLATE "C" IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR CASE WHEN TRIM(CAST("age" AS text)) COLLATE "C" ~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$' THEN ABS(CAST(TRIM(CAST("age" AS text)) AS numeric)) <= 1e+300 END)
  AND (("the ""colour""" IS NULL OR TRIM(CAST("the ""colour""" AS text)) COLLATE "C" IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR TRIM(CAST("the ""colour""" AS text)) COLLATE "C" IN ('blue', 'it''s', 'red'))
THEN CASE WHEN CASE WHEN ("age" IS NULL OR TRIM(CAST("age" AS text)) COLLATE "C" IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN float8 '2.8333333333333335' ELSE CAST(TRIM(CAST("age" AS text)) AS double precision) END < float8 '0.30000000000000004'
    THEN '</script>'
    ELSE CASE WHEN (("the ""colour""" IS NULL OR TRIM(CAST("the ""colour""" AS text)) COLLATE "C" IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR NOT TRIM(CAST("the ""colour""" AS text)) COLLATE "C" IN ('blue'))
        THEN CASE WHEN float8 '-0.1' * CASE WHEN ("age" IS NULL OR TRIM(CAST("age" AS text)) COLLATE "C" IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN float8 '2.8333333333333335' ELSE CAST(TRIM(CAST("age" AS text)) AS double precision) END + float8 '2' * CASE WHEN ("age" IS NULL OR TRIM(CAST("age" AS text)) COLLATE "C" IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN float8 '1' ELSE float8 '0' END + float8 '1' * CASE WHEN TRIM(CAST("the ""colour""" AS text)) COLLATE "C" IN ('red') THEN float8 '1' ELSE float8 '0' END < float8 '0.3333333333333333'
            THEN '</script>'
            ELSE 'it''s'
          END
        ELSE 'it''s'
      END
  END
END
