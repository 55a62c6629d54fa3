import type { ModuleKey } from '@roadshow/contract'

/** Form field to its message, for a key that would reach further than its maker. */
export function keyProblems(
  { modules }: { modules: readonly ModuleKey[] },
  maker: { modules: readonly ModuleKey[] },
): Record<string, string> {
  if (modules.every((key) => maker.modules.includes(key))) return {}
  return { modules: 'You can only choose modules that you hold yourself.' }
}
