/** Random whole numbers below a limit, the same ones for a seed every time, so that the demo is always the same. */
export function seededIntegers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    // The low bits of such a generator repeat soon.
    return Math.floor(state / 65_536) % limit
  }
}
