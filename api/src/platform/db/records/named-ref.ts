/** The record that an optional reference names, as replies carry it; null where there is none. */
export const namedRefOf = (uid: string | null, name: string | null): { uid: string; name: string } | null =>
  uid !== null && name !== null ? { uid, name } : null
