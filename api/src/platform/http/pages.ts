import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import { API_BASE, DRIVER_PATH, isPublicPath, PLAYER_PATH, signInPaths } from '@roadshow/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../runtime/app-error.ts'
import { build } from '../runtime/build.ts'
import type { Brand } from '../context.ts'
import type { App } from './app.ts'
import { fillPlaceholders, html, plainPage } from './html.ts'
import type { TileSettings } from './map-file.ts'
import { pathnameOf } from './request-path.ts'
import { PAGE_HEADERS } from './security-headers.ts'

interface EntrySettings extends Brand {
  tiles?: TileSettings | undefined
  /** What people call the identity provider, if there is one. */
  singleSignOn?: { name: string } | undefined
  isPasswordSignInOff?: boolean | undefined
}

/** A page that is compressed once and sent many times. */
export interface PreparedPage {
  etag: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
  /** 200 unless given. */
  status?: number
  /** Whether only the reader who asked may keep it. */
  isPrivate?: boolean
}

export function preparedPage(text: string): PreparedPage {
  const plain = Buffer.from(text)
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
    plain,
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    gzip: gzipSync(plain),
  }
}

interface Filling {
  /** The node's own settings, whose brand changes while it runs. */
  settings: EntrySettings
  /** Where a stored picture is loaded from. */
  fileUrl: (uid: string) => string
}

/** Reads a built HTML entry and fills in this server's settings. */
export async function entryHtml(folder: string, name: string, { settings, fileUrl }: Filling): Promise<string> {
  const { brandName, brandColor = '', brandLogoUid, tiles, singleSignOn, isPasswordSignInOff } = settings
  return fillPlaceholders(await readFile(path.join(folder, name), 'utf8'), {
    '%BRAND_NAME%': brandName,
    '%BRAND_COLOR%': brandColor,
    '%BRAND_LOGO%': brandLogoUid ? fileUrl(brandLogoUid) : '',
    '%VERSION%': build.version,
    '%TILE_URL%': tiles?.url ?? '',
    '%TILE_ATTRIBUTION%': tiles?.attribution ?? '',
    '%TILE_AREA%': tiles?.area ? JSON.stringify(tiles.area) : '',
    '%SINGLE_SIGN_ON%': singleSignOn?.name ?? '',
    '%PASSWORD_SIGN_IN%': isPasswordSignInOff ? 'off' : 'on',
  })
}

/** The console's worker shows it in the place of pages while the server is away. */
const OFFLINE_PAGE = '/offline.html'

const MANIFEST = 'manifest.webmanifest'

/** What a phone installs the drivers' app by, under the name of this server's brand. */
async function driverManifest(folder: string, brandName: string): Promise<string> {
  const text = await readFile(path.join(folder, 'driver', MANIFEST), 'utf8')
  return text.replaceAll('%BRAND_NAME%', () => JSON.stringify(brandName).slice(1, -1))
}

/** Pages that a module renders itself, for people who are not signed in. */
export interface PublicPages {
  matches(pathname: string): boolean
  /** Returns undefined if the page does not exist. `isOpened` is false for a HEAD request. */
  render(
    pathname: string,
    isOpened: boolean,
    request: Pick<FastifyRequest, 'headers'>,
  ): Promise<PreparedPage | undefined>
}

interface Pages extends Filling {
  /** With whether search engines may list public pages. */
  settings: EntrySettings & { allowIndexing?: boolean | undefined }
  publicPages: readonly PublicPages[]
  /** The folder of the built player of trucks' screens. */
  player?: string | undefined
}

/** Serves the built files, those with a compressed variant in the form that the browser prefers. */
async function serveFiles(files: FastifyInstance, folder: string, prefix = '/'): Promise<void> {
  files.addHook('onSend', async (_request, reply) => {
    // A picture can be opened as a page of its own.
    if (/^(?:text\/css|(?:text|application)\/(?:javascript|json)|font\/)/.test(String(reply.getHeader('content-type'))))
      for (const name of PAGE_HEADERS) reply.removeHeader(name)
  })
  await files.register(fastifyStatic, {
    root: folder,
    prefix,
    // Only the first of several folders may add its ways to reply.
    decorateReply: prefix === '/',
    wildcard: false,
    index: false,
    preCompressed: true,
    // Templates hold placeholders: they are sent filled in, below.
    globIgnore: ['**/*.html', '**/*.webmanifest'],
    // The header is set here; the plugin would replace it.
    cacheControl: false,
    setHeaders: (reply, file) => {
      // Names under assets/ carry a hash of their content.
      const forever = file.includes(`${path.sep}assets${path.sep}`)
      reply.setHeader('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
      // A cache on the way must not give the compressed form to those who did not ask for it.
      reply.setHeader('vary', 'accept-encoding')
      // The addresses of these pages have no slash at their end, so their workers lie beside them rather than above them.
      if (/service-worker[.]js(?:[.]br|[.]gz)?$/.test(file))
        reply.setHeader('service-worker-allowed', prefix === '/' ? DRIVER_PATH : PLAYER_PATH)
    },
  })
}

/** The pages as they were filled in last. They are filled in again when the company or the address of its logo changes. */
function entriesFor<Filled>({ settings, fileUrl }: Filling, fill: () => Promise<Filled>): () => Promise<Filled> {
  let known = ''
  let filled: Promise<Filled> | undefined
  return () => {
    const { brandName, brandColor, brandLogoUid } = settings
    const key = JSON.stringify([brandName, brandColor, brandLogoUid && fileUrl(brandLogoUid)])
    if (!filled || key !== known) filled = fill()
    known = key
    return filled
  }
}

/** Serves the web app: built files, and for every page's address the HTML of the entry it belongs to. */
export async function servePages(app: App, folder: string, pages: Pages): Promise<void> {
  const { settings, publicPages, player: playerFolder } = pages
  await app.register((files) => serveFiles(files, folder))
  if (playerFolder) await app.register((files) => serveFiles(files, playerFolder, `${PLAYER_PATH}/`))
  const entries = entriesFor(pages, async () => ({
    player: playerFolder && (await entryHtml(playerFolder, 'index.html', pages)),
    console: await entryHtml(folder, 'index.html', pages),
    signIn: await entryHtml(folder, 'sign-in.html', pages),
    driver: preparedPage(await entryHtml(folder, 'driver.html', pages)),
    offline: await entryHtml(folder, OFFLINE_PAGE.slice(1), pages),
    manifest: await driverManifest(folder, settings.brandName),
  }))
  // A missing file stops the start, not the first visitor.
  await entries()
  const nothing = plainPage(
    'Page not found',
    html`<h1>Page not found</h1>
      <p>The address may be mistyped, or the page may have moved.</p>`,
  )

  app.setNotFoundHandler(async (request, reply) => {
    const pathname = pathnameOf(request)
    if (pathname.startsWith(`${API_BASE}/`) || !wantsPage(request)) throw new AppError('noSuchCall')
    const { player, console, signIn, driver, offline, manifest } = await entries()
    if (signInPaths.includes(pathname)) return sendPage(reply, 200, signIn)
    if (player && (pathname === PLAYER_PATH || pathname === `${PLAYER_PATH}/`)) return sendPage(reply, 200, player)
    if (pathname === OFFLINE_PAGE) return sendPage(reply, 200, offline)
    if (pathname === `${DRIVER_PATH}/${MANIFEST}`) return sendManifest(reply, manifest)
    if (pathname === DRIVER_PATH || pathname.startsWith(`${DRIVER_PATH}/`)) return sendPrepared(request, reply, driver)
    if (/^\/(?:player\/)?assets\//.test(pathname)) return sendPage(reply, 404, nothing)
    const found = publicPages.find((each) => each.matches(pathname))
    if (!found && isPublicPath(pathname)) return sendPage(reply, 404, nothing)
    if (!found) return sendPage(reply, 200, console)
    const page = await found.render(pathname, request.method === 'GET', request)
    if (!settings.allowIndexing || page?.isPrivate) reply.header('x-robots-tag', 'noindex')
    return page ? sendPrepared(request, reply, page) : sendPage(reply, 404, nothing)
  })
}

/**
 * Escapes the percent signs of a URL that cannot be decoded, since the router refuses such URLs. A visitor with a broken
 * link then gets the page of any unknown address. API calls stay unchanged: their callers get an error.
 */
export function escapeInvalidUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (!url.includes('%') || url.startsWith('/api/')) return url
  const [pathname = ''] = url.split(/[?#]/, 1)
  try {
    decodeURI(pathname)
    return url
  } catch {
    return pathname.replaceAll('%', '%25') + url.slice(pathname.length)
  }
}

const wantsPage = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD'

const sendPage = (reply: FastifyReply, status: number, page: string | Buffer, cache = 'no-cache') =>
  reply.code(status).header('cache-control', cache).type('text/html; charset=utf-8').send(page)

const sendManifest = (reply: FastifyReply, manifest: string) =>
  reply.header('cache-control', 'no-cache').type('application/manifest+json; charset=utf-8').send(manifest)

function sendPrepared(request: FastifyRequest, reply: FastifyReply, page: PreparedPage): FastifyReply {
  const { status = 200, isPrivate = false } = page
  reply.header('etag', page.etag).header('vary', 'accept-encoding')
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  const cache = isPrivate ? 'private, no-store' : 'no-cache'
  if (status === 200 && known?.includes(page.etag)) return reply.code(304).header('cache-control', cache).send()
  const accepted = request.headers['accept-encoding']
    ?.toString()
    .split(',')
    .map((each) => each.trim())
  const encoding = (['br', 'gzip'] as const).find((each) => accepted?.includes(each))
  if (encoding) reply.header('content-encoding', encoding)
  return sendPage(reply, status, encoding ? page[encoding] : page.plain, cache)
}
