import { AliasNode, IdentifierNode, type OperationNode, RawNode, type RootOperationNode } from 'kysely'
import type { Columns } from './test-columns.ts'
import { type Claim, templateKey, type ValueKind } from './test-row-types.ts'

/** A claim about all columns of a statement, or about the one with this name. */
export interface Applied {
  claim: Claim
  name?: string | undefined
}

const isBlank = (node: RawNode) => node.sqlFragments.every((text) => text.trim() === '')

/** A fragment that only wraps another, as `prepared` does, claims nothing of its own. */
function unwrapped(node: RawNode): RawNode {
  const last = node.parameters.at(-1)
  return isBlank(node) && last && RawNode.is(last) ? unwrapped(last) : node
}

/** The expressions that a statement of the builder selects or returns. */
function selectionsOf(node: RootOperationNode): OperationNode[] {
  const selections = 'selections' in node ? node.selections : 'returning' in node ? node.returning?.selections : []
  return (selections ?? []).map(({ selection }) => selection)
}

/** What the sources claim about the rows of a compiled statement. */
export function claimsOf(claims: ReadonlyMap<string, Claim[]>, node: RootOperationNode): Applied[] {
  const madeBy = (raw: RawNode) => claims.get(templateKey(unwrapped(raw).sqlFragments)) ?? []
  if (RawNode.is(node)) return madeBy(node).map((claim) => ({ claim }))
  return selectionsOf(node).flatMap((selection) => {
    if (!AliasNode.is(selection) || !RawNode.is(selection.node) || !IdentifierNode.is(selection.alias)) return []
    const { name } = selection.alias
    return madeBy(selection.node).map((claim) => ({ claim, name }))
  })
}

const fits = (found: ValueKind, claimed: readonly ValueKind[]): boolean =>
  claimed.every(
    (kind) => kind === 'any' || kind === found || (found === 'json' && kind !== 'Date' && kind !== 'Buffer'),
  )

/** Where the columns of a result are not as claimed. */
export function problemsOf(columns: Columns, { claim, name }: Applied): string[] {
  const claimed = name === undefined ? (claim.columns ?? {}) : { [name]: { kinds: claim.value, isOptional: false } }
  const wrong = Object.entries(claimed).flatMap(([column, { kinds, isOptional }]) => {
    const found = columns[column]
    if (!found) return isOptional ? [] : [`${column} is missing`]
    return fits(found, kinds) ? [] : [`${column} is ${found}, not ${kinds.join(' | ')}`]
  })
  const unclaimed = claim.isOpen ? [] : Object.keys(columns).filter((column) => !claimed[column])
  return [...wrong, ...unclaimed.map((column) => `${column} is not in the row type`)]
}
