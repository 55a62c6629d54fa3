// Which of the bundler's files become one: a request for each would take longer than loading what is in them.

// A request costs a browser, the server and the line about as much as this many characters of a script as written, which
// are a fifth of that minified and compressed.
const REQUEST_COST = 8000

/** A file of scripts as the bundler makes it by itself. */
export interface ScriptFile {
  name: string
  size: number
  /** The files that it needs at once, and those that it may ask for later. */
  imports: readonly string[]
  dynamicImports: readonly string[]
  /** A page's own script, or a part that is asked for later; either stays a file of its own. */
  isPage?: boolean
  isPart?: boolean
  /** A part of the screen that most open first. */
  isFirst?: boolean
  /** Made by hand, and so left as it is. */
  isFixed?: boolean
}

export type ScriptFiles = Readonly<Record<string, ScriptFile>>

/** Everything that a file needs at once, itself included. */
function closureOf(files: ScriptFiles, start: string): Set<string> {
  const found = new Set([start])
  for (const each of found) for (const next of files[each]?.imports ?? []) if (files[next]) found.add(next)
  return found
}

/** Pages and parts that have a file while they run, and those of them that make a browser load it. */
interface Users {
  having: Set<string>
  loading: Set<string>
}

/** Who uses each file: a part does not load again what all that ask for it have loaded. */
export function usersOf(files: ScriptFiles): Map<string, Users> {
  const pages = Object.keys(files).filter((each) => files[each]?.isPage)
  const parts = Object.keys(files).filter((each) => files[each]?.isPart && !files[each].isPage)
  const needs = new Map([...pages, ...parts].map((each) => [each, closureOf(files, each)]))
  const asks = new Map<string, string[]>(parts.map((each) => [each, []]))
  for (const [asking, needed] of needs) {
    const asked = new Set([...needed].flatMap((each) => files[each]?.dynamicImports ?? []))
    for (const part of asked) asks.get(part)?.push(asking)
  }
  const loaded = loadedBefore(files, needs, asks)
  const usersOfFile = (file: string): Users => {
    const having = [...needs.keys()].filter((each) => needs.get(each)?.has(file) || loaded.get(each)?.has(file))
    return { having: new Set(having), loading: new Set(having.filter((each) => !loaded.get(each)?.has(file))) }
  }
  return new Map(Object.keys(files).map((each) => [each, usersOfFile(each)]))
}

/** What is certainly loaded when a part is asked for: what all that ask for it have. */
function loadedBefore(
  files: ScriptFiles,
  needs: ReadonlyMap<string, Set<string>>,
  asks: ReadonlyMap<string, readonly string[]>,
): Map<string, Set<string>> {
  const all = Object.keys(files)
  const loaded = new Map([...asks.keys()].map((part) => [part, new Set(all)]))
  const isThere = (asking: string, file: string) => needs.get(asking)?.has(file) || loaded.get(asking)?.has(file)
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    for (const [part, asking] of asks)
      for (const file of loaded.get(part) ?? [])
        if (asking.length === 0 || !asking.every((each) => isThere(each, file))) {
          loaded.get(part)?.delete(file)
          isSettled = false
        }
  }
  return loaded
}

/** Files that become one. */
interface Group extends Users {
  files: string[]
  size: number
  imports: Set<Group>
}

/** Everything that a group needs at once, itself included. */
function withImports(group: Group): Set<Group> {
  const found = new Set([group])
  for (const each of found) for (const next of each.imports) found.add(next)
  return found
}

/** What is loaded in vain by those that use only one of two groups, if they also have to load the other. */
function loadedInVain(files: ScriptFiles, group: Group, other: Group): number {
  const loading = [...group.loading].filter((each) => !other.having.has(each))
  // No page loads anything in vain, the public ones would load the console; nor does the first screen.
  if (loading.some((each) => files[each]?.isPage || files[each]?.isFirst)) return Infinity
  let size = 0
  if (loading.length > 0)
    for (const { size: more, having } of withImports(other))
      size += more * loading.filter((each) => !having.has(each)).length
  return size
}

/** What joining two groups saves: a request wherever both are loaded, less what is then loaded in vain. */
function savedBy(files: ScriptFiles, a: Group, b: Group): number {
  const requests = [...a.loading].filter((each) => b.loading.has(each)).length
  if (requests === 0) return 0
  return requests * REQUEST_COST - loadedInVain(files, a, b) - loadedInVain(files, b, a)
}

/** Whether a group needs another through a third: as one file the two would need each other in a circle. */
function needsThroughOthers(from: Group, to: Group): boolean {
  const others = [...from.imports].filter((each) => each !== to)
  return others.some((each) => withImports(each).has(to))
}

/** The groups of one file each. */
function singleGroups(files: ScriptFiles): Group[] {
  const users = usersOf(files)
  const groups = new Map<string, Group>()
  for (const [file, { size }] of Object.entries(files)) {
    const { having, loading } = users.get(file) ?? { having: new Set(), loading: new Set() }
    groups.set(file, { files: [file], size, having, loading, imports: new Set() })
  }
  for (const [file, { imports }] of groups)
    for (const next of files[file]?.imports ?? []) {
      const group = groups.get(next)
      if (group) imports.add(group)
    }
  return [...groups.values()]
}

/** Those that have a group from now on have all that another group needs. */
function give(users: Users, other: Group): void {
  for (const group of withImports(other))
    for (const each of users.having) {
      if (group.having.has(each)) continue
      group.having.add(each)
      if (users.loading.has(each)) group.loading.add(each)
    }
}

/** Makes one group of two, for all that need either. */
function join(groups: Iterable<Group>, a: Group, b: Group): Group {
  const usersOfA: Users = { having: new Set(a.having), loading: new Set(a.loading) }
  give(b, a)
  give(usersOfA, b)
  const joined: Group = {
    files: [...a.files, ...b.files],
    size: a.size + b.size,
    having: a.having,
    loading: new Set([...a.loading].filter((each) => b.loading.has(each))),
    imports: new Set([...a.imports, ...b.imports].filter((each) => each !== a && each !== b)),
  }
  for (const { imports } of groups) {
    const isNeeded = [imports.delete(a), imports.delete(b)].includes(true)
    if (isNeeded) imports.add(joined)
  }
  return joined
}

interface Pair {
  a: Group
  b: Group
  saved: number
}

/** Which files to make one, so that screens need few requests and load little in vain: the best pair first. */
export function filesToJoin(files: ScriptFiles): string[][] {
  const all = new Set(singleGroups(files))
  const pairOf = (a: Group, b: Group): Pair => ({ a, b, saved: savedBy(files, a, b) })
  const isWorth = ({ saved }: Pair) => saved > 0
  const isFree = (file: ScriptFile | undefined) => !file?.isPage && !file?.isPart && !file?.isFixed
  const free = new Set([...all].filter((group) => group.files.every((each) => isFree(files[each]))))
  let pairs = [...free].flatMap((a, index) => [...free].slice(index + 1).map((b) => pairOf(a, b))).filter(isWorth)
  while (pairs.length > 0) {
    const best = pairs.reduce((top, each) => (each.saved > top.saved ? each : top))
    const { a, b, saved } = best
    // What others have joined since may have made it worth less.
    best.saved = needsThroughOthers(a, b) || needsThroughOthers(b, a) ? 0 : savedBy(files, a, b)
    if (best.saved < saved) {
      pairs = pairs.filter(isWorth)
      continue
    }
    for (const set of [all, free]) for (const each of [a, b]) set.delete(each)
    const joined = join(all, a, b)
    pairs = [
      ...pairs.filter((each) => free.has(each.a) && free.has(each.b)),
      ...[...free].map((each) => pairOf(joined, each)).filter(isWorth),
    ]
    for (const set of [all, free]) set.add(joined)
  }
  return [...free].map((group) => group.files)
}
