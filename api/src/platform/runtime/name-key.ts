/** A name for comparison, without differences in case, spaces and accent encoding. */
export const nameKey = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
