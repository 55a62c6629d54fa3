import { timestamp } from '@roadshow/contract'
import { drawSvg } from '../platform/decoding/pictures/pictures.ts'
import type { DemoClient } from './clients.ts'
import { drawTruckSide } from './pictures.ts'
import { seededIntegers } from './seeded-integers.ts'

const SIZE = { width: 1440, height: 1080 }
const HORIZON = 640
const ROAD = 800
const TRUCK = { x: 190, y: 470, width: 860, height: 290 }

/** From afar, as it comes along, and near: what of the street is in the picture, always in the same shape. */
const VIEWS = ['0 0 1440 1080', '80 330 880 660', '0 150 1240 930', '40 230 1120 840']

type RandomBelow = (limit: number) => number

interface Light {
  sky: readonly [top: string, bottom: string]
  houses: readonly string[]
  window: string
  /** How many of ten windows are lit. */
  lit: number
  road: string
  walk: string
  ball: string
}

const day: Light = {
  sky: ['#4f9bdc', '#d8ecf8'],
  houses: ['#8d99ae', '#a5a58d', '#b08968', '#7d8597', '#c9ada7'],
  window: '#dbe9f4',
  lit: 9,
  road: '#4b5158',
  walk: '#a9adb2',
  ball: '#fff6d6',
}
const morning: Light = { ...day, sky: ['#7fb2e5', '#ffe3c2'], ball: '#ffd9a0' }
const evening: Light = {
  sky: ['#3d405b', '#f2955c'],
  houses: ['#4a4e69', '#5c4d5d', '#6d5a54', '#44475a'],
  window: '#ffd27d',
  lit: 5,
  road: '#3a3d45',
  walk: '#75737a',
  ball: '#ff9f5a',
}
const night: Light = {
  sky: ['#0b1026', '#26304f'],
  houses: ['#1b2033', '#20263b', '#161b2c', '#252a40'],
  window: '#ffd98a',
  lit: 3,
  road: '#20232b',
  walk: '#3b3f4a',
  ball: '#e8ecf7',
}

const lightAt = (hour: number): Light =>
  hour < 6 || hour >= 20 ? night : hour < 9 ? morning : hour < 17 ? day : evening

const rect = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`

interface House {
  x: number
  width: number
  height: number
}

function house({ x, width, height }: House, { houses, window, lit }: Light, pick: RandomBelow): string {
  const top = HORIZON + 60 - height
  const windows: string[] = []
  for (let y = top + 22; y < HORIZON - 10; y += 44) {
    for (let at = x + 16; at < x + width - 26; at += 38) {
      const isLit = pick(10) < lit
      windows.push(rect(at, y, 20, 26, isLit ? window : '#00000055', isLit ? 'fill-opacity=".85"' : ''))
    }
  }
  return rect(x, top, width, height, houses[pick(houses.length)] ?? '#888') + windows.join('')
}

function houses(light: Light, pick: RandomBelow): string {
  const all: string[] = []
  for (let x = -40; x < SIZE.width;) {
    const width = 120 + pick(130)
    all.push(house({ x, width, height: 220 + pick(330) }, light, pick))
    x += width + pick(26)
  }
  return all.join('')
}

function tree(x: number, light: Light, pick: RandomBelow): string {
  const leaves =
    light === night ? '#1d3326' : light === evening ? '#4b5a3a' : ['#4f7942', '#6a994e', '#588157'][pick(3)]
  const size = 62 + pick(30)
  return (
    rect(x - 7, ROAD - 190, 14, 150, '#5b4636') +
    [0, 1, 2]
      .map(
        (each) =>
          `<circle cx="${x - size / 2 + (each * size) / 2}" cy="${ROAD - 215 - (each % 2) * 34}" r="${size * 0.62}" fill="${leaves}"/>`,
      )
      .join('')
  )
}

function person(x: number, pick: RandomBelow): string {
  const coat = ['#264653', '#9b2226', '#6d597a', '#2a6f97', '#3c3c3c', '#bc6c25'][pick(6)]
  const foot = ROAD - 22 + pick(12)
  const tall = 96 + pick(22)
  return (
    `<circle cx="${x}" cy="${foot - tall}" r="11" fill="#d9a57c"/>` +
    `<rect x="${x - 14}" y="${foot - tall + 12}" width="28" height="${tall * 0.5}" rx="9" fill="${coat}"/>` +
    rect(x - 10, foot - tall * 0.42, 8, tall * 0.42, '#22262e') +
    rect(x + 2, foot - tall * 0.42, 8, tall * 0.42, '#22262e')
  )
}

const wheel = (x: number, y: number) =>
  `<circle cx="${x}" cy="${y}" r="46" fill="#15171b"/><circle cx="${x}" cy="${y}" r="21" fill="#9aa0a8"/>`

/** The truck from the side, wearing what its client has paid for. */
function truck(client: DemoClient, shift: number): string {
  const x = TRUCK.x + shift
  const { y, width, height } = TRUCK
  const cab = x + width + 14
  const ground = y + height + 66
  return (
    `<ellipse cx="${x + width * 0.58}" cy="${ground + 42}" rx="${width * 0.66}" ry="20" fill="#000" fill-opacity=".35"/>` +
    rect(x - 12, y - 12, width + 24, height + 24, '#1b1f27', 'rx="8"') +
    drawTruckSide(client, { x, y, width, height }) +
    rect(x - 12, y + height + 12, width + 230, 36, '#22262e') +
    `<path d="M${cab} ${y + height + 48} V${y + 60} q0 -24 26 -24 h84 q20 0 30 20 l44 104 q12 8 12 34 v94 z" fill="${client.colors[1]}"/>` +
    `<path d="M${cab + 34} ${y + 70} h66 q10 0 15 11 l30 78 h-111 z" fill="#cfe3f2"/>` +
    rect(cab + 168, y + height - 20, 26, 22, '#fff3c4', 'rx="5"') +
    [x + 130, x + 238, cab + 110].map((at) => wheel(at, ground)).join('')
  )
}

/** The drawing that stands for a photo: a street of no town, the truck in it, the sky as at that hour. */
function street(client: DemoClient, hour: number, seed: number): string {
  const pick = seededIntegers(seed * 7919 + 13)
  const light = lightAt(hour)
  const { width, height } = SIZE
  const low = hour < 9 || hour >= 17
  const ball = `<circle cx="${120 + pick(1200)}" cy="${low ? 330 + pick(120) : 90 + pick(120)}" r="${light === night ? 34 : 52}" fill="${light.ball}" fill-opacity=".9"/>`
  const trees = Array.from({ length: 2 + pick(3) }, (_, index) => tree(90 + index * 330 + pick(160), light, pick))
  const people = Array.from({ length: 2 + pick(4) }, () => person(60 + pick(width - 120), pick))
  const dashes = Array.from({ length: 9 }, (_, index) =>
    rect(index * 180 - pick(90), 962, 96, 10, '#e9e4c9', 'fill-opacity=".8"'),
  )
  const lamps = [260 + pick(200), 960 + pick(300)].map(
    (x) =>
      rect(x, ROAD - 360, 8, 330, '#3a3f47') +
      rect(x - 44, ROAD - 366, 60, 10, '#3a3f47') +
      (light === night || light === evening
        ? `<path d="M${x - 40} ${ROAD - 356} l-90 326 h240 l-120 -326 z" fill="#ffe9a8" fill-opacity=".12"/>`
        : ''),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900" viewBox="${VIEWS[seed % VIEWS.length]}">
    <defs><linearGradient id="air" x2="0" y2="1"><stop stop-color="${light.sky[0]}"/><stop offset="1" stop-color="${light.sky[1]}"/></linearGradient></defs>
    <rect width="${width}" height="${HORIZON + 60}" fill="url(#air)"/>${ball}${houses(light, pick)}
    ${rect(0, HORIZON + 50, width, ROAD - HORIZON - 40, light.walk)}${trees.join('')}${lamps.join('')}${people.join('')}
    ${rect(0, ROAD - 10, width, height - ROAD + 10, light.road)}${rect(0, ROAD - 10, width, 9, '#d5d8db', 'fill-opacity=".6"')}
    ${dashes.join('')}${truck(client, pick(110) - 60)}</svg>`
}

/** What a phone knows of a photo. Local time with its distance from UTC, and the place. */
export interface FakeCameraData {
  at: number
  offsetMinutes: number
  latitude: number
  longitude: number
}

interface Scene {
  client: DemoClient
  seed: number
  camera: FakeCameraData
  /** As messengers send photos on: without a word of when and where. */
  isStripped?: boolean
}

/** How many minutes the clocks of a zone are ahead of UTC. */
export function utcOffsetMinutes(zone: string, at: number): number {
  const shown = timestamp(at, zone)
  return Math.round((Date.parse(`${shown.replace(' ', 'T')}Z`) - at) / 60_000)
}

const two = (value: number) => String(Math.floor(value)).padStart(2, '0')

const degrees = (value: number) => {
  const all = Math.abs(value)
  const minutes = (all % 1) * 60
  return `${Math.floor(all)}/1 ${Math.floor(minutes)}/1 ${Math.round((minutes % 1) * 60 * 1000)}/1000`
}

function exifOf({ at, offsetMinutes, latitude, longitude }: FakeCameraData) {
  const clock = new Date(at + offsetMinutes * 60_000).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':')
  const away = Math.abs(offsetMinutes)
  const zone = `${offsetMinutes < 0 ? '-' : '+'}${two(away / 60)}:${two(away % 60)}`
  const satellite = new Date(at).toISOString()
  return {
    IFD0: { Make: 'Roadshow', Model: 'Demo phone', DateTime: clock },
    IFD2: { DateTimeOriginal: clock, OffsetTimeOriginal: zone },
    IFD3: {
      GPSLatitudeRef: latitude < 0 ? 'S' : 'N',
      GPSLatitude: degrees(latitude),
      GPSLongitudeRef: longitude < 0 ? 'W' : 'E',
      GPSLongitude: degrees(longitude),
      GPSDateStamp: satellite.slice(0, 10).replaceAll('-', ':'),
      GPSTimeStamp: `${Number(satellite.slice(11, 13))}/1 ${Number(satellite.slice(14, 16))}/1 ${Number(satellite.slice(17, 19))}/1`,
    },
  }
}

/** A made-up photo as a phone would send it, under the sky of that hour. */
export function drawStreetPhoto({ client, seed, camera, isStripped = false }: Scene): Promise<Buffer> {
  const hour = new Date(camera.at + camera.offsetMinutes * 60_000).getUTCHours()
  const exif = isStripped ? {} : { exif: exifOf(camera) }
  return drawSvg({ svg: street(client, hour, seed), type: 'jpeg', quality: 86, ...exif })
}
