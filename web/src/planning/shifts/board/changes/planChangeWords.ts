import type { ShiftPlanChangeKind } from '@roadshow/contract/planning/shift-plan-changes'
import { countOf } from '@roadshow/contract/platform/figures'

interface PlanChangeWords {
  /** A button: `Move`. */
  label: string
  /** The same about some shifts: `Move 3 shifts`. */
  act: (count: number) => string
  /** A sentence about shifts that were changed. */
  done: (count: number) => string
  /** What is about to happen. */
  will: (count: number) => string
}

export const planChangeWords: Record<ShiftPlanChangeKind, PlanChangeWords> = {
  move: {
    label: 'Move',
    act: (count) => `Move ${countOf(count, 'shift')}`,
    done: (count) => `${countOf(count, 'shift')} moved.`,
    will: (count) => `${countOf(count, 'shift')} will be moved`,
  },
  copy: {
    label: 'Copy',
    act: (count) => `Copy ${countOf(count, 'shift')}`,
    done: (count) => `${countOf(count, 'shift')} copied.`,
    will: (count) => `${countOf(count, 'shift')} will be copied`,
  },
  driver: {
    label: 'Change driver',
    act: (count) => `Change driver of ${countOf(count, 'shift')}`,
    done: (count) => `Driver of ${countOf(count, 'shift')} changed.`,
    will: (count) => `The driver of ${countOf(count, 'shift')} will change`,
  },
  cancel: {
    label: 'Cancel shift',
    act: (count) => `Cancel ${countOf(count, 'shift')}`,
    done: (count) => `${countOf(count, 'shift')} canceled.`,
    will: (count) => `${countOf(count, 'shift')} will be canceled`,
  },
  delete: {
    label: 'Delete',
    act: (count) => `Delete ${countOf(count, 'shift')}`,
    done: (count) => `${countOf(count, 'shift')} deleted.`,
    will: (count) => `${countOf(count, 'shift')} will be deleted`,
  },
}
