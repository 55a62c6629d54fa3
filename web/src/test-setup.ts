// It extends expect, and has nothing to name.
// oxlint-disable-next-line import/no-unassigned-import
import '@testing-library/jest-dom/vitest'
import { configure } from '@testing-library/react'

// Screens and forms are loaded when they are first shown, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 20_000 })
