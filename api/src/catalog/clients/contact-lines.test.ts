import type { Contact } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { addContacts, contactLine, readContactLine } from './contact-lines.ts'

const kim: Contact = { name: 'Kim Park', title: 'Director', email: 'kim@example.com', phone: '(713) 555-0170' }

describe('a contact in one line', () => {
  test.each<[Partial<Contact>, string]>([
    [{}, 'Kim Park, Director, kim@example.com, (713) 555-0170'],
    [{ title: '', email: '' }, 'Kim Park, (713) 555-0170'],
    [{ title: 'Vice president, sales' }, 'Kim Park, Vice president, sales, kim@example.com, (713) 555-0170'],
    [{ name: 'Park, Kim' }, 'Park, Kim | Director | kim@example.com | (713) 555-0170'],
    [{ title: '555 1234', phone: '' }, 'Kim Park | 555 1234 | kim@example.com | '],
    [{ name: 'Kim | Park' }, String.raw`Kim \| Park | Director | kim@example.com | (713) 555-0170`],
  ])('%j is read as it is written', (given, line) => {
    const contact = { ...kim, ...given }
    expect(contactLine(contact)).toBe(line)
    expect(readContactLine(line)).toEqual(contact)
  })
})

test('single contacts add to those there are, and change those with their email address or name', () => {
  expect(addContacts([kim], [{ name: 'K. Park', email: 'KIM@example.com' }])).toEqual([
    { ...kim, name: 'K. Park', email: 'KIM@example.com' },
  ])
  expect(addContacts([kim], [{ name: 'kim park', phone: '1' }, { name: 'Lee' }])).toEqual([
    { ...kim, name: 'kim park', phone: '1' },
    { name: 'Lee', title: '', email: '', phone: '' },
  ])
})
