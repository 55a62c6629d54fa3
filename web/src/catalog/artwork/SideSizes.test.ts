import type { TruckGroup } from '@roadshow/contract/catalog/artwork'
import { expect, test } from 'vitest'
import { sizesOfSide } from './SideSizes.tsx'

const panel = (width: number, height: number) => ({ width, height })
const group = (trucks: number, rear: { width: number; height: number } | null): TruckGroup => ({
  pixelMap: null,
  panels: rear && { driverSide: panel(1280, 384), passengerSide: panel(1280, 384), rear },
  trucks,
  numbers: [],
})
const groups = [group(3, panel(256, 384)), group(9, panel(384, 384)), group(7, panel(256, 384)), group(2, null)]

test('a side lists each size once, with all its trucks, the most frequent first', () => {
  expect(sizesOfSide(groups, 'rear')).toEqual([
    { width: 256, height: 384, trucks: 10 },
    { width: 384, height: 384, trucks: 9 },
  ])
  expect(sizesOfSide(groups, 'driverSide')).toEqual([{ width: 1280, height: 384, trucks: 19 }])
})

test('trucks without a pixel map need no size', () => {
  expect(sizesOfSide([group(2, null)], 'rear')).toEqual([])
})
