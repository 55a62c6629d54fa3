import { type Language, languages } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'

/** The language that a browser asks for (RFC 9110, Accept-Language): of those that there are, the one it wants most. */
export function preferredLanguage(header: string | undefined): Language | undefined {
  const wanted = (header ?? '').split(',').map((part, index) => {
    const [tag = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
    return { tag: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight), index }
  })
  const best = wanted
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight || one.index - other.index)
  for (const { tag } of best) {
    const found = languages.find((language) => language === tag)
    if (found) return found
  }
  return undefined
}

export const requestLanguage = ({ headers }: Pick<FastifyRequest, 'headers'>): Language | undefined =>
  preferredLanguage(headers['accept-language'])
