// SPDX-License-Identifier: BSD-3-Clause
// Finds the sizes that packed kernels are compiled for (packed_rows in cuda/kernels/kernels.hpp): lists of so many
// entries that lose least, by the predictions of plans, beside having every size.  Prints the costs that it goes by,
// what the compiled list loses, and the best list of each length.  Needs no GPU.
//
//   nwgpu_gpu_sizes [least and most entries]
#include <cstdio>
#include <cstdlib>

#include "gpu/sizes.hpp"

namespace {

using namespace nwgpu;
using namespace nwgpu::test;

void print(std::vector<int> const & sizes, Loss const & loss)
{
    std::printf("%2zu sizes, %5.2f %% lost, %5.2f %% at most (%s), %5.2f %% of the table:", sizes.size(),
                100 * loss.mean, 100 * loss.most, loss.worst.c_str(), 100 * loss.table);
    for (int const rows : sizes)
        std::printf(" %d", rows);
    std::printf("\n");
    std::fflush(stdout);
}

// A list is as good as what it loses on average, with a share of the worst case; the long pair's table loses no more
// than so much.
double badness(Loss const & loss) { return loss.mean + 0.1 * loss.most + 5 * std::max(0.0, loss.table - 0.025); }

// Entry by entry, each exchanged for a better one as long as there is any.
std::vector<int> improved(SizeLoss const & losses, std::vector<int> sizes, std::size_t fixed)
{
    double best = badness(losses.of(sizes));
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            if (k < fixed)
                continue;
            for (int const rows : losses.every()) {
                if (std::find(sizes.begin(), sizes.end(), rows) != sizes.end())
                    continue;
                std::vector<int> other = sizes;
                other[k] = rows;
                std::vector<int> sorted = other;
                std::sort(sorted.begin(), sorted.end());
                if (double const loss = badness(losses.of(sorted)); loss < best - 1e-6) {
                    best = loss;
                    sizes = other;
                    changed = true;
                }
            }
        }
    }
    return sizes;
}

} // namespace

int main(int argc, char ** argv)
{
    std::size_t const least = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 6,
                      most = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : std::max<std::size_t>(least, 10);
    cuda::Chip const & chip = h200.chip;
    std::printf(
        "%s: a step %.1f ns, a row of it %.2f (global affine), %.2f (linear), %.2f (local affine), %.2f "
        "(linear), from %d rows on %.2f times as many; plain %.0f and %.0f, wide %.0f and %.0f; a strip follows "
        "after %.0f steps\n",
        chip.name, chip.step * 1e9, chip.global_affine * 1e9, chip.global_linear * 1e9, chip.local_affine * 1e9,
        chip.local_linear * 1e9, chip.cached_rows + 1, chip.uncached, chip.narrow.alone * 1e9, chip.narrow.each * 1e9,
        chip.wide.alone * 1e9, chip.wide.each * 1e9, chip.lag_steps);
    SizeLoss const losses{size_works()};
    std::printf("compiled: ");
    print({cuda::packed_rows.begin(), cuda::packed_rows.end()}, losses.of(cuda::packed_rows));
    std::vector<int> sizes{4}; // the least in a band
    while (sizes.size() < most) {
        std::vector<int> best;
        double lowest = 1e9;
        for (int const rows : losses.every()) {
            if (std::find(sizes.begin(), sizes.end(), rows) != sizes.end())
                continue;
            std::vector<int> longer = sizes;
            longer.push_back(rows);
            std::vector<int> sorted = longer;
            std::sort(sorted.begin(), sorted.end());
            if (double const loss = badness(losses.of(sorted)); loss < lowest) {
                lowest = loss;
                best = longer;
            }
        }
        sizes = best;
        if (sizes.size() < least)
            continue;
        sizes = improved(losses, sizes, 1);
        std::vector<int> sorted = sizes;
        std::sort(sorted.begin(), sorted.end());
        print(sorted, losses.of(sorted));
    }
}
