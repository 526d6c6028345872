SELECT source_table.*, leaf_class.octgen_leaf, leaf_class.octgen_class, leaf_class.`octgen_share_</script>`, leaf_class.`octgen_share_it's`
FROM `shop`.`the ``sales``` source_table
LEFT JOIN (
  SELECT 1 AS octgen_leaf, '</script>' AS octgen_class, 1.0 AS `octgen_share_</script>`, 0.0 AS `octgen_share_it's`
  UNION ALL
  SELECT 5 AS octgen_leaf, '</script>' AS octgen_class, 0.3333333333333333 AS `octgen_share_</script>`, 0.6666666666666666 AS `octgen_share_it's`
  UNION ALL
  SELECT 6 AS octgen_leaf, 'it''s' AS octgen_class, 0.0 AS `octgen_share_</script>`, 1.0 AS `octgen_share_it's`
  UNION ALL
  SELECT 4 AS octgen_leaf, 'it''s' AS octgen_class, 0.0 AS `octgen_share_</script>`, 1.0 AS `octgen_share_it's`
) leaf_class ON leaf_class.octgen_leaf =
  CASE WHEN ((source_table.`age` IS NULL OR TRIM(source_table.`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR source_table.`age` = CAST(source_table.`age` AS NUMERIC) AND ABS(CAST(source_table.`age` AS REAL)) <= 1e+300)
    AND ((source_table.`the "colour"` IS NULL OR TRIM(source_table.`the "colour"`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR TRIM(source_table.`the "colour"`) IN ('blue', 'it''s', 'red'))
  THEN CASE WHEN CASE WHEN (source_table.`age` IS NULL OR TRIM(source_table.`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN (6380099472108203.0 / 1125899906842624.0 / 2.0) ELSE CAST(source_table.`age` AS REAL) END < (1351079888211149.0 / 1125899906842624.0 / 4.0)
      THEN 1
      ELSE CASE WHEN ((source_table.`the "colour"` IS NULL OR TRIM(source_table.`the "colour"`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR NOT TRIM(source_table.`the "colour"`) IN ('blue'))
          THEN CASE WHEN -0.1 * CASE WHEN (source_table.`age` IS NULL OR TRIM(source_table.`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN (6380099472108203.0 / 1125899906842624.0 / 2.0) ELSE CAST(source_table.`age` AS REAL) END + 2.0 * CASE WHEN (source_table.`age` IS NULL OR TRIM(source_table.`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN 1.0 ELSE 0.0 END + 1.0 * CASE WHEN TRIM(source_table.`the "colour"`) IN ('red') THEN 1.0 ELSE 0.0 END < 0.3333333333333333
              THEN 5
              ELSE 6
            END
          ELSE 4
        END
    END
  END
