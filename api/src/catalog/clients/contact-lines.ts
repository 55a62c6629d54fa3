import type { Contact } from '@roadshow/contract'

const FIELDS = ['name', 'title', 'email', 'phone'] as const
const BAR = /\s*(?<!\\)\|\s*/

/** Contacts with places for what is empty, where commas alone would be read otherwise. */
const barred = (contact: Contact) => FIELDS.map((field) => contact[field].replaceAll('|', String.raw`\|`)).join(' | ')

/** A contact in one line: `Kim Park, Director, kim@example.com, (713) 555-0170`. */
export function contactLine(contact: Contact): string {
  const line = FIELDS.map((field) => contact[field])
    .filter(Boolean)
    .join(', ')
  const read = readContactLine(line)
  return FIELDS.every((field) => read[field] === contact[field]) ? line : barred(contact)
}

const isPhone = (text: string) => /^\+?[\d\s().-]{5,}(?: ?(?:x|ext\.?) ?\d{1,6})?$/i.test(text)

/** Reads such a line: what has an @ is the email address, what has digits the phone number, the rest the title. */
export function readContactLine(line: string): Contact {
  if (BAR.test(line)) {
    const [name = '', title = '', email = '', phone = ''] = line
      .split(BAR)
      .map((part) => part.trim().replaceAll(String.raw`\|`, '|'))
    return { name, title, email, phone }
  }
  const [name = '', ...others] = line.split(',').map((part) => part.trim())
  const email = others.find((part) => part.includes('@')) ?? ''
  const phone = others.findLast((part) => isPhone(part)) ?? ''
  const title = others.filter((part) => part !== email && part !== phone && part !== '').join(', ')
  return { name, title, email, phone }
}

/** Reads the lines of a cell. */
export const readContactLines = (text: string): Contact[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map(readContactLine)

/** Adds contacts to those there are; one with the email address or the name of another changes that one. */
export function addContacts(saved: readonly Contact[], given: readonly Partial<Contact>[]): Contact[] {
  const contacts = saved.map((contact) => ({ ...contact }))
  for (const person of given) {
    const isSame = (field: 'email' | 'name') => (known: Contact) =>
      !!person[field] && known[field].toLowerCase() === person[field].toLowerCase()
    const known = contacts.find(isSame('email')) ?? contacts.find(isSame('name'))
    if (known) Object.assign(known, person)
    else contacts.push({ name: '', title: '', email: '', phone: '', ...person })
  }
  return contacts
}
