/** A stable uid for test data: `testUid(101)` is the same record in every file. */
export const testUid = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
