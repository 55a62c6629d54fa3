import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

test('the types of the tables are those of the migrated database; npm run db:types writes them', async () => {
  const options = [
    '--config-file',
    at('../../../kysely-codegen.json'),
    '--url',
    world.url,
    '--out-file',
    at('./schema.ts'),
  ]
  const program = at('../../../../node_modules/kysely-codegen/dist/cli/bin.js')
  const verify = promisify(execFile)(process.execPath, [program, ...options, '--verify'])
  await expect(verify).resolves.toMatchObject({ stderr: '' })
})
