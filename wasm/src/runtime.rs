//! What a module without the standard library brings along: an allocator, and what a panic does.
//!
//! Without `std` the module holds no formatting of panics.

/// The allocator of the standard library on this target.
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// Nothing here panics on purpose, and the lints of this workspace keep it so. Should a
/// dependency, the module traps.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
