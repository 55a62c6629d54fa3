import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { BoardRowModel } from './boardModel.ts'
import { useTruckSearch } from './useTruckSearch.ts'

const rowOf = (number: string, top: number) => ({ key: number, title: number, truck: { number }, top }) as BoardRowModel

const inOrder = (...numbers: string[]) => numbers.map((number, index) => rowOf(number, index * 45))
const many = Array.from({ length: 40 }, (_, index) => `T-${index + 10}`)

/** A board of ten rows' height, whose frame only keeps where it was scrolled to. */
function open(rows: BoardRowModel[]) {
  const frame = {
    scrollTop: 0,
    clientHeight: 450,
    scrollTo: ({ top }: { top: number }) => (frame.scrollTop = top),
  }
  const scroller = { current: frame as unknown as HTMLElement }
  const hook = renderHook((shown: BoardRowModel[]) => useTruckSearch(scroller, shown), { initialProps: rows })
  return {
    frame,
    show: hook.rerender,
    find: (text: string) => act(() => hook.result.current.setText(text)),
    goOn: () => act(() => hook.result.current.goOn()),
    result: () => hook.result.current.result,
  }
}

test('the board scrolls to the first truck that is found, and on to the next', () => {
  const board = open(inOrder('T-1', ...many, 'Z-1', 'Z-2'))
  board.find('z-')
  expect([board.result(), board.frame.scrollTop]).toEqual(['Z-1, 1 of 2', 41 * 45])
  board.goOn()
  expect([board.result(), board.frame.scrollTop]).toEqual(['Z-2, 2 of 2', 42 * 45])
  board.goOn()
  expect([board.result(), board.frame.scrollTop]).toEqual(['Z-1, 1 of 2', 41 * 45])
})

test('a found truck stays in view when other filters put it elsewhere', () => {
  const board = open(inOrder('Z-1', ...many))
  board.find('z-1')
  board.show(inOrder(...many, 'Z-1'))
  expect([board.result(), board.frame.scrollTop]).toEqual(['Z-1, 1 of 1', 40 * 45])
})

test('who has scrolled away from a found truck stays there', () => {
  const board = open(inOrder('Z-1', ...many))
  board.find('z-1')
  board.frame.scrollTop = 900
  board.show(inOrder(...many, 'Z-1'))
  expect(board.frame.scrollTop).toBe(900)
})
