import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { API_BASE, isPublicPath } from '@roadshow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import type { App } from './app.ts'
import { escapeHtml, plainPage } from './html.ts'

const SIGN_IN_PATHS = ['/login', '/forgot-password', '/unauthorized']

interface Shown {
  brandName: string
  tiles?: { url: string; attribution: string } | undefined
}

/** Serves the web app: built files, and for every page's address the HTML of the entry it belongs to. */
export async function servePages(app: App, folder: string, { brandName, tiles }: Shown): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, file) => {
      // Names under assets/ carry a hash of their content.
      const forever = file.includes(`${path.sep}assets${path.sep}`)
      reply.setHeader('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const html = async (name: string) =>
    Object.entries({
      BRAND_NAME: brandName,
      TILE_URL: tiles?.url ?? '',
      TILE_ATTRIBUTION: tiles?.attribution ?? '',
    }).reduce(
      (text, [placeholder, value]) => text.replaceAll(`%${placeholder}%`, () => escapeHtml(value)),
      await readFile(path.join(folder, name), 'utf8'),
    )
  const console = await html('index.html')
  const signIn = await html('sign-in.html')
  const nothing = plainPage('Not found', '<h1>Not found</h1><p>There is no page at this address.</p>')

  app.setNotFoundHandler((request, reply) => {
    const { pathname } = new URL(request.url, 'http://local')
    if (pathname.startsWith(`${API_BASE}/`) || !wantsPage(request)) throw new AppError('noSuchCall')
    if (SIGN_IN_PATHS.includes(pathname)) return sendPage(reply, 200, signIn)
    if (isPublicPath(pathname) || pathname.startsWith('/assets/')) return sendPage(reply, 404, nothing)
    return sendPage(reply, 200, console)
  })
}

const wantsPage = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD'

const sendPage = (reply: FastifyReply, status: number, html: string) =>
  reply.code(status).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html)
