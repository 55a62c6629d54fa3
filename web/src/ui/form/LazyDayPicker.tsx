import type { DayPickerProps } from './DayPicker.tsx'
import { lazyPart } from '../lazyPart.tsx'

/** A day in a bar of filters, which stands on screens that need no calendar otherwise. */
export const LazyDayPicker = lazyPart<DayPickerProps>(async () => ({
  default: (await import('./DayPicker.tsx')).DayPicker,
}))
