import { readdir } from 'node:fs/promises'
import { type BodyOf, type FileRef, files, type InputOf, type UploadTarget } from '@roadshow/contract'
import { expect } from 'vitest'
import type { World } from '@roadshow/test-kit/world'

export type Announced = InputOf<typeof files.getUploadSas>['body']

/** What a browser does with a file, as sales unless a token is given, and what the server has kept of it. */
export function uploadHelpers({ app, call, db, folder, people }: World) {
  const announce = (given: Partial<Announced> = {}, token = people.sales.token) =>
    call(
      files.getUploadSas,
      { body: { purpose: 'artwork', name: 'art.png', contentType: 'image/png', size: 100, ...given } },
      { token },
    )

  async function target(given: Partial<Announced>): Promise<UploadTarget> {
    const { status, body, text } = await announce(given)
    expect(status, text).toBe(200)
    return body.data
  }

  const put = (url: string, payload: Buffer, offset = 0) =>
    app.inject({
      method: 'PUT',
      url: `${url}&offset=${offset}`,
      payload,
      headers: { 'content-type': 'application/octet-stream' },
    })

  const complete = (fileUid: string, more: Partial<BodyOf<typeof files.complete>> = {}) =>
    call(files.complete, { body: { fileUid, ...more } }, { token: people.sales.token })

  /** Announces, sends and verifies a file. */
  async function upload(content: Buffer, given: Partial<Announced> = {}) {
    const { fileUid, url } = await target({ size: content.length, ...given })
    const sent = await put(url, content)
    expect(sent.statusCode, sent.body).toBe(200)
    return { fileUid, ...(await complete(fileUid)) }
  }

  async function stored(content: Buffer, given: Partial<Announced> = {}): Promise<FileRef> {
    const { status, body, text } = await upload(content, given)
    expect(status, text).toBe(200)
    return body.data
  }

  const rowOf = (uid: string) => db.selectFrom('stored_file').selectAll().where('uid', '=', uid).executeTakeFirst()
  const keptFiles = async () => (await readdir(folder)).toSorted()

  return { announce, target, put, complete, upload, stored, rowOf, keptFiles }
}
