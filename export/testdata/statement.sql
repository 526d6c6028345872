SELECT row_leaf.*, leaf_class.octgen_class, leaf_class.`octgen_share_</script>`, leaf_class.`octgen_share_it's`
FROM (
  SELECT source_table.*,
    CASE WHEN ((`age` IS NULL OR TRIM(`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR `age` = CAST(`age` AS NUMERIC) AND ABS(CAST(`age` AS REAL)) <= 1e+300)
      AND ((`the "colour"` IS NULL OR TRIM(`the "colour"`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR TRIM(`the "colour"`) IN ('blue', 'it''s', 'red'))
    THEN CASE WHEN CASE WHEN (`age` IS NULL OR TRIM(`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN (6380099472108203.0 / 1125899906842624.0 / 2.0) ELSE CAST(`age` AS REAL) END < (1351079888211149.0 / 1125899906842624.0 / 4.0)
        THEN 1
        ELSE CASE WHEN ((`the "colour"` IS NULL OR TRIM(`the "colour"`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) OR NOT TRIM(`the "colour"`) IN ('blue'))
            THEN CASE WHEN -0.1 * CASE WHEN (`age` IS NULL OR TRIM(`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN (6380099472108203.0 / 1125899906842624.0 / 2.0) ELSE CAST(`age` AS REAL) END + 2.0 * CASE WHEN (`age` IS NULL OR TRIM(`age`) IN ('', '?', 'N/A', 'NA', 'NULL', 'NaN', 'n/a', 'nan', 'null')) THEN 1.0 ELSE 0.0 END + 1.0 * CASE WHEN TRIM(`the "colour"`) IN ('red') THEN 1.0 ELSE 0.0 END < 0.3333333333333333
                THEN 5
                ELSE 6
              END
            ELSE 4
          END
      END
    END AS octgen_leaf
  FROM `shop`.`the ``sales``` source_table
) row_leaf
LEFT JOIN (
  SELECT 1 AS leaf, '</script>' AS octgen_class, 1.0 AS `octgen_share_</script>`, 0.0 AS `octgen_share_it's`
  UNION ALL
  SELECT 5 AS leaf, '</script>' AS octgen_class, 0.3333333333333333 AS `octgen_share_</script>`, 0.6666666666666666 AS `octgen_share_it's`
  UNION ALL
  SELECT 6 AS leaf, 'it''s' AS octgen_class, 0.0 AS `octgen_share_</script>`, 1.0 AS `octgen_share_it's`
  UNION ALL
  SELECT 4 AS leaf, 'it''s' AS octgen_class, 0.0 AS `octgen_share_</script>`, 1.0 AS `octgen_share_it's`
) leaf_class ON leaf_class.leaf = row_leaf.octgen_leaf
