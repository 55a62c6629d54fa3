import { isOutsider } from '@roadshow/contract'
import type { Actor } from './scope.ts'

/** Columns of which outsiders see nothing, in the history of any record that they may open. */
export const STAFF_COLUMNS = ['note', 'reason', 'pay_option']

/** Of tables whose `search_text` holds more than outsiders see: what they do see of the row `t`. */
const openTexts: Record<string, string> = {
  address_set: 't.name',
  artwork_set: 't.name',
  client: `t.name || ' ' || coalesce(jsonb_path_query_array(t.contacts, '$[*].*')::text, '')`,
  client_program: `t.name || ' ' || t.pop_url`,
  pixel_map: 't.name',
  shift: `''`,
  truck: 't.number',
  truck_issue: 't.text',
  user_account: 't.name',
}

/** The text in which a row of a table, under an alias, is searched. */
export type SearchedText = (table: string, alias: string) => string

const wholeText: SearchedText = (_table, alias) => `${alias}.search_text`

// Without an index, which the few rows of one client do without.
const openText: SearchedText = (table, alias) => {
  const open = openTexts[table]
  return open ? `lower((${open.replaceAll('t.', `${alias}.`)}) collate "default")` : wholeText(table, alias)
}

/** What is searched for somebody: nobody finds a record by words that they may not read. */
export const searchedBy = (actor: Pick<Actor, 'role'>): SearchedText => (isOutsider(actor) ? openText : wholeText)
