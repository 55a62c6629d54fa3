import { randomUUID } from 'node:crypto'
import { auth, defaultModules, type Role, singleSignOn } from '@roadshow/contract'
import { ProviderVisitor, TestIdentityProvider } from '@roadshow/test-kit/identity-provider'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll } from 'vitest'
import type { SingleSignOnSettings } from '../../env-single-sign-on.ts'
import { freePort } from '../../platform/db/embedded/server.ts'
import { hashPassword } from './passwords.ts'

// A port that nothing listens on: no test opens the console itself.
const publicUrl = 'http://localhost:1'
export const PASSWORD = 'a long enough password'

type Settings = Partial<SingleSignOnSettings> & { isPasswordSignInOff?: boolean }

/** A world that trusts a real identity provider, which is not started yet. */
export async function openSignOnWorld({ isPasswordSignInOff = false, ...settings }: Settings = {}) {
  const provider = new TestIdentityProvider({ port: await freePort(), publicUrl })
  const named = { name: 'Acme', scopes: 'openid email profile', roleClaim: 'roles', roles: [] }
  const singleSignOnSettings = { ...provider.settings, ...named, ...settings }
  const world = await openWorld({ publicUrl, singleSignOn: singleSignOnSettings, isPasswordSignInOff })
  const passwordHash = await hashPassword(PASSWORD)
  afterAll(() => provider.stop())

  /** A browser on the sign-in page: it keeps the cookie of its sign-in, and visits the provider. */
  class TestBrowser {
    readonly visitor = new ProviderVisitor()
    cookie = ''

    get options() {
      return { token: '', headers: { cookie: this.cookie } }
    }

    /** Where the sign-in page sends the browser. */
    async begin(next = '/'): Promise<string> {
      const answer = await world.call(singleSignOn.begin, { body: { next } }, { token: '' })
      if (answer.status !== 200) throw new Error(answer.text)
      this.cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
      return answer.body.data.url
    }

    /** The query with which the provider sends the browser back; without a name the person goes back. */
    visit = async (url: string, login?: string) => this.visitor.signIn(url, login)

    finish = (callback: string) => world.call(singleSignOn.finish, { body: { callback } }, this.options)
    signIn = async (login: string, next?: string) => this.finish(await this.visit(await this.begin(next), login))
    confirmation = () => world.call(singleSignOn.confirmation, {}, this.options)
    confirmByPassword = (password: string) =>
      world.call(singleSignOn.confirmByPassword, { body: { password } }, this.options)
    mailConfirmation = () => world.call(singleSignOn.mailConfirmation, {}, this.options)
    confirmByMail = (token: string) => world.call(singleSignOn.confirmByMail, { body: { token } }, this.options)
  }

  async function addAccount(email: string, role: Role, hasPassword: boolean): Promise<string> {
    const values = { email, name: 'Dana Brooks', role, modules: [...defaultModules[role]] }
    const { uid } = await world.db
      .insertInto('user_account')
      .values({ ...values, password_hash: hasPassword ? passwordHash : null })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid
  }

  /** A person at the provider, with an account here if a role is given. */
  async function addPerson({ role, claims = {}, isInvited = false }: NewPerson = {}) {
    const name = `p-${randomUUID()}`
    const email = `${name}@example.com`
    provider.people.set(name, { claims: { email, email_verified: true, name: 'Dana Brooks', ...claims } })
    const uid = role ? await addAccount(email, role, !isInvited) : ''
    return { name, email, uid }
  }

  function changeClaims(name: string, claims: object): void {
    const person = provider.people.get(name)
    provider.people.set(name, { ...person, claims: { ...person?.claims, ...claims } })
  }

  return {
    ...world,
    provider,
    TestBrowser,
    addPerson,
    changeClaims,
    me: (token: string) => world.call(auth.me, {}, { token }),
  }
}

interface NewPerson {
  role?: Role
  claims?: object
  /** The account was made by an invitation, and no one has used it yet. */
  isInvited?: boolean
}

/** The token of a session that single sign-on opened. */
export function tokenOf({ text }: { text: string }): string {
  const { data } = JSON.parse(text) as { data?: { token?: string } }
  if (data?.token === undefined) throw new Error(`Not signed in: ${text}`)
  return data.token
}
