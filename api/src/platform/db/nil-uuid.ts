/** The nil UUID of RFC 9562: stands for "none" where a key allows no null, and matches no row. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'
