import { createHash, randomBytes } from 'node:crypto'
import { aPhoto } from '@roadshow/test-kit/media'
import { toOpening } from '@roadshow/api/proof/pop/publication/opening'
import { encodePolyline, type LatLng } from '@roadshow/api/proof/pop/publication/polyline'
import { contract, DATA_PART, DAY_MS, POP_FORMAT, type PopDocument, type PublicPhoto } from '@roadshow/contract'
import { apiTarget, type BenchWorld } from './world.ts'

export interface BenchProgram {
  uid: string
  market: string
}

/** A program in one market, by the database. */
export async function addBenchProgram({ sql }: BenchWorld, name: string): Promise<BenchProgram> {
  const [row] = await sql<BenchProgram>(
    `with c as (insert into client (name) values ($1) returning uid),
          m as (insert into market (name, state, zone) values ($1, 'TX', 'America/Chicago') returning uid),
          p as (insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url)
                select uid, $1, 'active', '2024-06-01', '2026-05-31', $1 from c returning uid)
     insert into program_market (program_uid, market_uid, position) select p.uid, m.uid, 0 from p, m
     returning program_uid as uid, market_uid as market`,
    [name],
  )
  if (!row) throw new Error('The program was not added.')
  return row
}

/** Photos as a phone sends them, uploaded. */
export async function uploadPhotos(
  world: BenchWorld,
  { uid, market }: BenchProgram,
  count: number,
): Promise<PublicPhoto[]> {
  for (let n = 0; n < count; n++) {
    const form = new FormData()
    form.append(DATA_PART, JSON.stringify({ programUid: uid, marketUid: market }))
    form.append('photos', new Blob([await aPhoto(2400 + n, 1600)], { type: 'image/jpeg' }), `IMG_${n}.jpg`)
    const { url, headers } = apiTarget(world, contract.pops.addPhotos.path)
    const answer = await fetch(url, { method: 'POST', headers, body: form })
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  }
  type Size = { width: number; height: number; sha256: string }
  const rows = await world.sql<{ key: string; blur: string; sizes: Record<'small' | 'medium' | 'large', Size> }>(
    'select key, blur, sizes from pop_photo where program_uid = $1 order by uid',
    [uid],
  )
  return rows.map(({ key, blur, sizes: { small, medium, large } }) => ({
    key,
    blur,
    width: large.width,
    height: large.height,
    sha256: large.sha256,
    caption: 'Elm Street',
    widths: {
      small: small.width,
      medium: medium.width,
      large: large.width,
    },
    takenAt: '2026-05-01 14:03:22',
    grade: 'verified',
    reason: '125 ft from the truck, 12 s apart.',
  }))
}

const madeUp = (): PublicPhoto => ({
  key: randomBytes(16).toString('hex'),
  width: 2560,
  height: 1707,
  sha256: randomBytes(32).toString('hex'),
  widths: {
    small: 480,
    medium: 1280,
    large: 2560,
  },
  blur: `data:image/webp;base64,${randomBytes(120).toString('base64')}`,
  caption: 'Elm Street',
  takenAt: '2026-05-01 14:03:22',
  grade: 'verified',
  reason: '125 ft from the truck, 12 s apart.',
})

/** Streets of a grid: as a truck drives them, with a turn now and then. */
const route = (shift: number): string =>
  encodePolyline(
    Array.from({ length: 200 }, (_, n): LatLng => {
      const [north, east] = [Math.ceil(n / 2), Math.floor(n / 2)]
      return [32.7 + ((north * (1 + (shift % 7))) % 90) / 600, -96.9 + ((east + shift * 13) % 110) / 600]
    }),
  )

function documentOf(popUrl: string, photos: PublicPhoto[]): PopDocument {
  const [startsOn, endsOn] = ['2024-06-01', '2026-05-31']
  const figures = {
    metres: 9e7,
    seconds: 9e6,
    shifts: 1400,
    trucks: 12,
    days: 730,
    plays: 2e6,
    verifiedPlays: 19e5,
    conflictPlays: 900,
    playSeconds: 16e6,
  }
  const perDay = Array.from({ length: 730 }, (_, n) => ({
    day: new Date(Date.parse(startsOn) + n * DAY_MS).toISOString().slice(0, 10),
    metres: 12e4 + (n % 9) * 5e3,
    plays: 2700 + (n % 5) * 100,
    verifiedPlays: 2600,
  }))
  const market = { slug: 'dallas-tx', name: 'Dallas', state: 'TX', zone: 'America/Chicago', headline: '', text: '' }
  const routes = Array.from({ length: 100 }, (_, shift) => route(shift))
  return {
    format: POP_FORMAT,
    version: 1,
    publishedAt: '2026-06-01T00:00:00.000Z',
    brand: 'Roadshow',
    client: 'Bench',
    logo: null,
    program: popUrl,
    popUrl,
    startsOn,
    endsOn,
    headline: 'Every corner of town',
    text: '',
    cover: photos[0]?.key ?? null,
    figures,
    photos: photos.length,
    verifiedPhotos: photos.length,
    milesAlgorithm: 1,
    chapters: [
      {
        ...market,
        startsOn,
        endsOn,
        figures,
        perDay,
        routes,
        photos,
      },
    ],
  }
}

async function publish({ sql }: BenchWorld, { uid }: BenchProgram, document: PopDocument): Promise<void> {
  const text = JSON.stringify(document)
  const sha256 = createHash('sha256').update(text).digest('hex')
  await sql(
    'insert into pop_version (program_uid, number, document, sha256, opening, pdf_attempts) values ($1, 1, $2, $3, $4, 99)',
    [uid, text, sha256, JSON.stringify(toOpening(document))],
  )
  const keys = document.chapters.flatMap(({ photos }) => photos.map(({ key }) => key))
  await sql('insert into pop_version_picture (program_uid, number, key) select $1, 1, unnest($2::text[])', [uid, keys])
  await sql('update pop set shown_version = 1 where uid = $1', [uid])
}

/** What is published under a name: with pictures that can be seen, or so many photos that only their data matters. */
export async function publishTestPop(
  world: BenchWorld,
  popUrl: string,
  { seen = 0, madeUpPhotos = 0 },
): Promise<string> {
  const program = await addBenchProgram(world, popUrl)
  const photos = [...(await uploadPhotos(world, program, seen)), ...Array.from({ length: madeUpPhotos }, madeUp)]
  await publish(world, program, documentOf(popUrl, photos))
  return program.uid
}
