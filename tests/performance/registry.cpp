// SPDX-License-Identifier: BSD-3-Clause
// CMake defines PEER_<NAME> for each peer that it found and that belongs into the program.
#include "registry.hpp"

#include "peers/parallel.hpp"

#include <algorithm>
#include <utility>

namespace performance {

namespace {

[[maybe_unused]] void add_in_parallel(Peers & list, void (*add)(Peers &))
{
    Peers added;
    add(added);
    for (auto & peer : added)
        list.push_back(in_parallel(std::move(peer)));
}

} // namespace

Peers const & peers()
{
    static Peers const all = [] {
        Peers list;
        add_nwgpu(list);
#ifdef PEER_PARASAIL
        add_in_parallel(list, add_parasail);
#endif
#ifdef PEER_SSW
        add_in_parallel(list, add_ssw);
#endif
#ifdef PEER_SEQAN2
        add_seqan2(list);
#endif
#ifdef PEER_SEQAN3
        add_seqan3(list);
#endif
#ifdef PEER_WFA2
        add_in_parallel(list, add_wfa2);
#endif
#ifdef PEER_KSW2
        add_in_parallel(list, add_ksw2);
#endif
#ifdef PEER_EDLIB
        add_in_parallel(list, add_edlib);
#endif
        return list;
    }();
    return all;
}

std::string missing_peers()
{
    std::string names;
    for (char const * name : {"parasail", "ssw", "seqan2", "seqan3", "wfa2", "ksw2", "edlib"}) {
        auto const is_it = [name](auto const & peer) { return peer->name().rfind(name, 0) == 0; };
        if (std::none_of(peers().begin(), peers().end(), is_it))
            names += (names.empty() ? "" : " ") + std::string{name};
    }
    return names;
}

} // namespace performance
