import type { FastifyRequest } from 'fastify'

/** The path by which an answer is chosen where no route matches. */
export function pathnameOf({ url }: Pick<FastifyRequest, 'url'>): string {
  try {
    // A URL parser would read a path that begins with two slashes as a host name.
    return new URL(url.replace(/^[/\\]+/, '/'), 'http://local').pathname
  } catch {
    return url
  }
}

/**
 * The pattern of the route that a call has reached, or its path where no route matches. The router decodes the path and
 * takes whole URLs too, so the URL as it was sent does not tell which route that is.
 */
export const routeOrPathname = (request: Pick<FastifyRequest, 'url' | 'routeOptions'>): string =>
  request.routeOptions.url ?? pathnameOf(request)
