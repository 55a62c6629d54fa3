import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_BASE, DATA_PART, endpoint, one, requiredLine } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openWorld } from '@roadshow/test-kit/world'
import { serve } from './serve.ts'

const world = await openWorld()
const { app } = world

const KB = 1024
const post = endpoint({
  method: 'POST',
  path: 'forms/',
  access: { module: 'trucks', needs: 'edit' },
  summary: '',
  body: z.strictObject({ title: requiredLine(50) }),
  files: {
    cover: { count: 1, bytes: 64 * KB, types: ['image/png'] },
    pages: { count: 3, bytes: 8 * KB, types: ['image/png', 'image/jpeg'] },
  },
  reply: one(
    z.strictObject({ title: z.string(), cover: z.array(z.string()), pages: z.array(z.string()), at: z.number() }),
  ),
})

let served = 0
serve(app, post, async ({ body, files }) => {
  const told = (name: 'cover' | 'pages') =>
    files[name].map((file) => `${file.name} ${file.type} ${file.content.length}`)
  return { data: { title: body.title, cover: told('cover'), pages: told('pages'), at: ++served } }
})

const png = (bytes: number, name = 'a.png', type = 'image/png') => new File([Buffer.alloc(bytes, 7)], name, { type })
const body = { title: 'A form' }

const sendForm = (parts: [name: string, value: string | File][], headers: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return sendRaw(form, headers)
}

const sendRaw = (payload: FormData | string | Buffer, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `${API_BASE}/${post.path}`,
    payload,
    headers: { authorization: `Bearer ${world.people.admin.token}`, ...headers },
  })

const data: [string, string] = [DATA_PART, JSON.stringify(body)]

describe('a call with files', () => {
  test('hands the parsed body and each file to its handler', async () => {
    const cover = png(64 * KB, 'cover – front.png')
    const pages = [png(1), png(8 * KB, 'b.jpg', 'image/jpeg')]
    const answer = await world.call(post, { body, files: { cover: [cover], pages } })
    expect(answer.body.data).toMatchObject({
      title: 'A form',
      cover: ['cover – front.png image/png 65536'],
      pages: ['a.png image/png 1', 'b.jpg image/jpeg 8192'],
    })
  })

  test('takes its parts in any order, none of its files, and an empty file input', async () => {
    const last = await sendForm([['cover', png(5)], data])
    expect(last.json()).toMatchObject({ data: { title: 'A form', cover: ['a.png image/png 5'] } })
    expect((await sendForm([data])).json()).toMatchObject({ data: { cover: [], pages: [] } })
    const form =
      '--x\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"title":"Plain"}\r\n--x\r\n' +
      'content-disposition: form-data; name="cover"; filename=""\r\ncontent-type: image/png\r\n\r\n\r\n--x--\r\n'
    const plain = await sendRaw(form, { 'content-type': 'multipart/form-data; boundary=x' })
    expect(plain.json()).toMatchObject({ data: { title: 'Plain', cover: [] } })
  })

  test('takes plain JSON where no file is sent', async () => {
    const answer = await sendRaw(JSON.stringify(body), { 'content-type': 'application/json' })
    expect(answer.json()).toMatchObject({ data: { title: 'A form', cover: [] } })
  })

  test('runs once for an Idempotency-Key, and refuses the key for other files', async () => {
    const headers = { 'idempotency-key': 'form-key-1' }
    const first = await world.call(post, { body, files: { cover: [png(9)] } }, { headers })
    const again = await world.call(post, { body, files: { cover: [png(9)] } }, { headers })
    expect([again.status, again.text]).toEqual([200, first.text])
    const other = new File([Buffer.alloc(9, 8)], 'a.png', { type: 'image/png' })
    const reused = await world.call(post, { body, files: { cover: [other] } }, { headers })
    expect([reused.status, reused.error.code]).toEqual([409, 'keyReused'])
  })

  test('is described with its parts', async () => {
    const { paths } = (await app.inject(`${API_BASE}/openapi.json`)).json<{ paths: Record<string, object> }>()
    expect(paths['/forms/']).toMatchObject({
      post: {
        requestBody: { content: { 'multipart/form-data': { schema: { properties: { cover: { maxItems: 1 } } } } } },
      },
    })
  })
})

describe('a form is refused', () => {
  const at = served
  test.each<[string, number, string, string | undefined, [string, string | File][]]>([
    ['a file above its size', 413, 'tooLarge', 'pages', [data, ['pages', png(8 * KB + 1)]]],
    ['a file above every size', 413, 'tooLarge', 'cover', [data, ['cover', png(300 * KB)]]],
    ['more files of a name than allowed', 413, 'tooLarge', 'cover', [data, ['cover', png(1)], ['cover', png(1)]]],
    [
      'far too many files',
      413,
      'tooLarge',
      'pages',
      [data, ...Array.from({ length: 60 }, () => ['pages', png(1)] as [string, File])],
    ],
    [
      'a kind of file that is not accepted',
      415,
      'wrongMediaType',
      'cover',
      [data, ['cover', png(1, 'a.html', 'text/html')]],
    ],
    ['an empty file', 400, 'badInput', 'cover', [data, ['cover', png(0)]]],
    ['a file under another name', 400, 'badInput', 'back', [data, ['back', png(1)]]],
    ['a field under another name', 400, 'badInput', 'title', [['title', 'A form']]],
    ['a second data part', 413, 'tooLarge', undefined, [data, data]],
    ['data that is no JSON', 400, 'badJson', undefined, [[DATA_PART, '{']]],
    [
      'data that is too large',
      413,
      'tooLarge',
      undefined,
      [[DATA_PART, JSON.stringify({ title: 'x'.repeat(1_100_000) })]],
    ],
    ['no data', 400, 'badInput', 'title', [['cover', png(1)]]],
    [
      'data that its schema refuses',
      400,
      'badInput',
      'title',
      [
        [DATA_PART, '{"title":""}'],
        ['cover', png(1)],
      ],
    ],
    ['a part named as a part of every object', 400, 'badRequest', undefined, [data, ['__proto__', png(1)]]],
  ])('with %s', async (_, status, code, field, parts) => {
    const answer = await sendForm(parts)
    expect([answer.statusCode, answer.json<{ code: string }>().code], answer.body).toEqual([status, code])
    expect(Object.keys(answer.json<{ fields?: object }>().fields ?? {})).toEqual(field ? [field] : [])
  })

  test.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'that ends in the middle',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="cover"; filename="a.png"\r\ncontent-type: image/png\r\n\r\nabc',
    ],
    ['of rubbish', 'multipart/form-data; boundary=x', '\u0000\u0001 rubbish'],
    ['with a broken header', 'multipart/form-data; boundary=x', '--x\r\nnot a header\r\n\r\nabc\r\n--x--\r\n'],
  ])('%s', async (_, type, payload) => {
    const answer = await sendRaw(payload, { 'content-type': type })
    expect(answer.statusCode, answer.body).toBe(400)
  })

  test('before it is read when it says itself that it is too large, or where no form belongs', async () => {
    const large = await sendRaw('', {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '2000000000',
    })
    expect([large.statusCode, large.json<{ code: string }>().code]).toEqual([413, 'tooLarge'])
    for (const type of ['multipart/form-data; boundary=x', 'multipart/mixed; boundary=x', 'text/plain']) {
      const answer = await app.inject({
        method: 'POST',
        url: `${API_BASE}/trucks/`,
        payload: '--x--',
        headers: { 'content-type': type, authorization: `Bearer ${world.people.admin.token}` },
      })
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([415, 'wrongMediaType'])
    }
  })

  test('for anyone who may not make the call, before its files are looked at', async () => {
    const { driver } = world.people
    const answer = await world.call(post, { body, files: { cover: [png(300 * KB)] } }, { token: driver.token })
    expect(answer.status).toBe(403)
  })

  test('while it is still being sent, and its sender hears why', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const request = http.request({
      port,
      method: 'POST',
      path: `${API_BASE}/${post.path}`,
      headers: {
        'content-type': 'multipart/form-data; boundary=x',
        authorization: `Bearer ${world.people.admin.token}`,
      },
    })
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
    request.write(
      '--x\r\ncontent-disposition: form-data; name="cover"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n',
    )
    for (let sent = 0; sent < 64; sent++) {
      if (!request.write(Buffer.alloc(256 * KB))) await once(request, 'drain')
    }
    request.end('\r\n--x--\r\n')
    const [response] = await answered
    expect(response.statusCode).toBe(413)
    response.resume()
    await once(response, 'end')
  })

  test('without its handler having run', () => {
    expect(served).toBe(at + 6)
  })
})
