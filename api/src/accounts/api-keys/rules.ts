import { type ApiKey, type ModuleKey, moduleLabel } from '@roadshow/contract'

/** Form field to its message, for a key that would reach further than its maker. */
export function keyProblems(
  { modules }: { modules: readonly ModuleKey[] },
  maker: { modules: readonly ModuleKey[] },
): Record<string, string> {
  if (modules.every((key) => maker.modules.includes(key))) return {}
  return { modules: 'You can only choose modules that you hold yourself.' }
}

/** A key as logs and lists name it: names repeat when a key is replaced, its first characters do not. */
export const nameOfKey = ({ name, start }: Pick<ApiKey, 'name' | 'start'>): string => `${name} (${start}…)`

/** What a key may do, in words. */
export const reachOfKey = ({ access, modules, client }: Pick<ApiKey, 'access' | 'modules' | 'client'>): string =>
  [
    access === 'write' ? 'Reads and writes' : 'Reads',
    modules.map((key) => moduleLabel[key]).join(', '),
    client ? `only ${client.name}` : 'all clients',
  ].join(' · ')
