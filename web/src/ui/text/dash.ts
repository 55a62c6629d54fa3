/** Stands where there is no value. */
export const EM_DASH = '–'
