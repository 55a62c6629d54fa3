import type { Db } from '../db/connection.ts'
import type { Scope } from '../db/records/scope.ts'

/** Handles a call about the record that its path names. */
export const byUid =
  <Data>(work: (db: Db, scope: Scope, uid: string) => Promise<Data>) =>
  async ({ db, scope, params }: { db: Db; scope: Scope; params: { uid: string } }) => ({
    data: await work(db, scope, params.uid),
  })

/** Handles a call whose body says what to do. */
export const byBody =
  <Body, Data>(work: (db: Db, scope: Scope, body: Body) => Promise<Data>) =>
  async ({ db, scope, body }: { db: Db; scope: Scope; body: Body }) => ({ data: await work(db, scope, body) })
