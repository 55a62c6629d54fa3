import { inflateRawSync } from 'node:zlib'

/** The files of a zip archive, found by its central directory as every reader does. */
function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const content = archive.subarray(start, start + packed)
    files.set(
      archive.toString('utf8', at + 46, at + 46 + name),
      (method === 8 ? inflateRawSync(content) : content).toString(),
    )
    at += 46 + name + extra + comment
  }
  return files
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' }
const unescape = (xml: string) => xml.replace(/&\w+;/g, (entity) => entities[entity] ?? entity)

const cells = (row: string) =>
  [...row.matchAll(/<c\b[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, inner = '']) => unescape(inner.replace(/<[^>]*>/g, '')))

/** The rows of each sheet of a workbook, by the sheet's name. */
export function readWorkbook(archive: Buffer): Record<string, string[][]> {
  const files = unzip(archive)
  const names = [...(files.get('xl/workbook.xml') ?? '').matchAll(/<sheet name="(.*?)"/g)].map(([, name = '']) =>
    unescape(name),
  )
  return Object.fromEntries(
    names.map((name, index) => {
      const xml = files.get(`xl/worksheets/sheet${index + 1}.xml`) ?? ''
      return [name, [...xml.matchAll(/<row\b[^>]*>(.*?)<\/row>/gs)].map(([, row = '']) => cells(row))]
    }),
  )
}
