import { useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { BoardRowModel } from './boardModel.ts'

const matches = ({ truck }: BoardRowModel, text: string) =>
  truck !== undefined && truck.number.toLowerCase().includes(text.trim().toLowerCase())

/** Finds trucks by their numbers: the board scrolls to the first, Enter goes on to the next, and the others are dimmed. */
export function useTruckSearch(scroller: RefObject<HTMLElement | null>, rows: readonly BoardRowModel[]) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const isSearching = text.trim() !== ''
  const found = isSearching ? rows.filter((row) => matches(row, text)) : []
  const scrollTo = (row: BoardRowModel | undefined) => {
    if (row) scroller.current?.scrollTo?.({ top: row.top })
  }
  const current = found[at % Math.max(1, found.length)]
  useFollowed(scroller, current)
  return {
    text,
    setText(next: string) {
      setText(next)
      setAt(0)
      if (next.trim() !== '') scrollTo(rows.find((row) => matches(row, next)))
    },
    goOn() {
      scrollTo(found[(at + 1) % Math.max(1, found.length)])
      setAt((at + 1) % Math.max(1, found.length))
    },
    isFaded: (row: BoardRowModel) => isSearching && row.truck !== undefined && !matches(row, text),
    result: current ? `${current.title}, ${(at % found.length) + 1} of ${found.length}` : 'No truck found.',
  }
}

/** A row that is looked at stays in view when it comes to stand elsewhere, as other filters or another week let it. */
function useFollowed(scroller: RefObject<HTMLElement | null>, row: BoardRowModel | undefined): void {
  const before = useRef<BoardRowModel>(undefined)
  useLayoutEffect(() => {
    const last = before.current
    before.current = row
    const frame = scroller.current
    if (!frame || !row || last?.key !== row.key || last.top === row.top) return
    const wasInView = last.top >= frame.scrollTop && last.top < frame.scrollTop + frame.clientHeight
    if (wasInView) frame.scrollTo({ top: row.top })
  }, [scroller, row])
}
export type TruckSearch = ReturnType<typeof useTruckSearch>
