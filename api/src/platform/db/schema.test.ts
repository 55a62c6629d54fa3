import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { schemaFiles } from './schema-files.ts'

/** The database that all tests copy: migrated, and otherwise empty. */
const template = Object.assign(new URL(inject('serverUrl')), { pathname: 'roadshow' }).href

test('the table types and schema.sql are those of the migrated database; npm run db:types writes them', async () => {
  for (const [file, content] of Object.entries(await schemaFiles(template))) {
    expect(await readFile(file, 'utf8')).toBe(content)
  }
})
