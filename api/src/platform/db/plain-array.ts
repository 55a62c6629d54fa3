/**
 * Numbers, instants or uids as a PostgreSQL array literal. None of them needs quotes, and for thousands of them the
 * driver's own conversion, which looks at every character, takes longer than storing them.
 */
export const plainArray = (values: readonly (number | string | boolean | null | undefined)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`
