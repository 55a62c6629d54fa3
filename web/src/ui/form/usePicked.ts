import dayjs from 'dayjs'
import { useMemo } from 'react'

/** A day or an instant as a picker takes it. A picker takes another object for another day and forgets what was being typed, so the same text gives the same object. */
export const usePicked = (value: string | null | undefined) => useMemo(() => (value ? dayjs(value) : null), [value])
