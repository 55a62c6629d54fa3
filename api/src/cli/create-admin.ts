import path from 'node:path'
import { parseArgs } from 'node:util'
import { email as emailSchema, requiredLine } from '@roadshow/contract'
import { createPasswordLink } from '../accounts/sign-in/index.ts'
import { startSetup } from '../console/setup/index.ts'
import { addFirstAdmin } from '../catalog/users/index.ts'
import { connect, type Db, inTransaction } from '../platform/db/connection.ts'
import { startEmbedded } from '../platform/db/embedded/server.ts'
import { migrate } from '../platform/db/migrate.ts'
import { type Env, readEnv } from '../env.ts'
import { StartError } from '../platform/runtime/start-error.ts'
import { runCommand, say } from './command.ts'

const USAGE = 'Usage: npm run create-admin -- --email you@example.com --name "Your Name"'

function readArguments() {
  const { values } = parseArgs({ options: { email: { type: 'string' }, name: { type: 'string' } } })
  const email = emailSchema.safeParse(values.email)
  const name = requiredLine(120).safeParse(values.name)
  if (!email.success || !name.success) throw new StartError(USAGE)
  return { email: email.data, name: name.data }
}

const isOnlyUser = async (db: Db, uid: string) =>
  !(await db.selectFrom('user_account').select('uid').where('uid', '<>', uid).limit(1).executeTakeFirst())

/** Adds the admin without a password and returns the token to set one. */
async function addAdmin(db: Db, { email, name }: { email: string; name: string }): Promise<string> {
  return inTransaction(db, async (db) => {
    const uid = await addFirstAdmin(db, { email, name })
    if (!uid) throw new StartError(`Another user has the email address ${email}.`)
    // Where others work already, nothing is set up anew.
    if (await isOnlyUser(db, uid)) await startSetup(db)
    const link = await createPasswordLink(db, uid)
    return link?.token ?? ''
  })
}

/** How the new admin signs in. Where passwords are off, the operator can switch them on again and always get in. */
function waysIn({ publicUrl, singleSignOn, isPasswordSignInOff }: Env, email: string, token: string): string {
  const link = `${publicUrl}/forgot-password?token=${token}`
  if (!isPasswordSignInOff) return `Set the password within 30 minutes at ${link}`
  return [
    `Sign in with ${singleSignOn?.name} as ${email} at ${publicUrl}/login`,
    `If ${singleSignOn?.name} is out of reach, restart with PASSWORD_SIGN_IN=on and set a password within 30 minutes at ${link}`,
  ].join('\n')
}

async function main(): Promise<void> {
  const env = readEnv(process.env)
  const wanted = readArguments()
  const server = env.databaseUrl ? undefined : await startEmbedded({ dir: path.join(env.dataDir, 'postgres') })
  const url = env.databaseUrl ?? server?.url ?? ''
  try {
    await migrate(env.databaseOwnerUrl ?? url)
    const { db, close } = connect(url, { max: 2 })
    try {
      say(waysIn(env, wanted.email, await addAdmin(db, wanted)))
    } finally {
      await close()
    }
  } finally {
    await server?.stop()
  }
}

await runCommand(main)
