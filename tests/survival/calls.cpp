// SPDX-License-Identifier: BSD-3-Clause
#include "calls.hpp"

#include <cstring>
#include <utility>

#include "support/random.hpp"

namespace nwgpu::test {

namespace {

using Strings = std::vector<std::string>;

struct Letters {
    std::string bytes;
    std::vector<uint64_t> offsets{0};

    explicit Letters(Strings const & sequences)
    {
        for (std::string const & sequence : sequences) {
            bytes += sequence;
            offsets.push_back(bytes.size());
        }
    }
    nwgpu_status make(nwgpu_context * context, Sequences & to) const
    {
        nwgpu_sequences * made = nullptr;
        nwgpu_status const status = nwgpu_sequences_create(context, reinterpret_cast<uint8_t const *>(bytes.data()),
                                                           offsets.data(), offsets.size() - 1, &made, nullptr);
        to = Sequences{made};
        return status;
    }
};

Strings lines_of(Result const & result)
{
    Strings lines;
    uint32_t const * runs = nullptr;
    uint64_t const * offsets = nullptr;
    bool const traced = nwgpu_result_cigars(result.get(), &runs, &offsets, nullptr) == NWGPU_OK;
    uint64_t const * const spans = nwgpu_result_spans(result.get());
    for (uint64_t e = 0; e < nwgpu_result_count(result.get()); ++e) {
        if (nwgpu_result_pairs(result.get())[e] == lines.size())
            lines.emplace_back();
        std::string & line = lines.back();
        if (nwgpu_status const status = nwgpu_result_statuses(result.get())[e]; status != NWGPU_OK) {
            line = nwgpu_status_name(status);
            continue;
        }
        line += ' ' + std::to_string(nwgpu_result_scores(result.get())[e]);
        for (int k = 0; spans && k < 4; ++k)
            line += ' ' + std::to_string(spans[4 * e + static_cast<uint64_t>(k)]);
        for (uint64_t r = traced ? offsets[e] : 0; traced && r < offsets[e + 1]; ++r)
            line += ' ' + std::to_string(runs[r]);
    }
    return lines;
}

// nwgpu_align, and what belongs to it.
class Align : public Call {
public:
    Align(std::string name, std::vector<SequencePair> const & pairs, nwgpu_scoring const & scoring,
          nwgpu_align_options const & options) :
        Call{std::move(name)},
        queries_{sides(pairs, &SequencePair::query)},
        targets_{sides(pairs, &SequencePair::target)},
        scoring_{scoring},
        options_{options}
    {}

    nwgpu_status run(nwgpu_context * context) override
    {
        nwgpu_status status = queries_.make(context, made_queries_);
        if (status == NWGPU_OK)
            status = targets_.make(context, made_targets_);
        return status == NWGPU_OK ? align(context) : status;
    }
    Strings answer() const override { return lines_of(result_); }
    void clear() override
    {
        made_queries_ = Sequences{nullptr};
        made_targets_ = Sequences{nullptr};
        result_ = Result{nullptr};
    }

protected:
    virtual nwgpu_status align(nwgpu_context * context)
    {
        nwgpu_result * made = nullptr;
        nwgpu_status const status = nwgpu_align(context, made_queries_.get(), made_targets_.get(), nullptr, 0,
                                                &scoring_, &options_, &made, nullptr);
        result_ = Result{made};
        return status;
    }

    Letters const queries_, targets_;
    nwgpu_scoring const scoring_;
    nwgpu_align_options const options_;
    Sequences made_queries_{nullptr}, made_targets_{nullptr};
    Result result_{nullptr};

private:
    static Letters sides(std::vector<SequencePair> const & pairs, std::string SequencePair::*side)
    {
        Strings all;
        for (SequencePair const & pair : pairs)
            all.push_back(pair.*side);
        return Letters{all};
    }
};

class Traceback final : public Align {
    using Align::Align;
    nwgpu_status align(nwgpu_context * context) override
    {
        nwgpu_status status = Align::align(context);
        if (status != NWGPU_OK)
            return status;
        nwgpu_result * traced = nullptr;
        status = nwgpu_traceback(context, made_queries_.get(), made_targets_.get(), result_.get(), nullptr, 0, nullptr,
                                 &traced, nullptr);
        if (status == NWGPU_OK)
            result_ = Result{traced};
        return status;
    }
};

class EstimateCall final : public Align {
public:
    using Align::Align;
    Strings answer() const override
    {
        return {std::to_string(estimate_.pairs) + ' ' + std::to_string(estimate_.cells) + ' ' +
                std::to_string(estimate_.host_bytes)};
    }

private:
    nwgpu_status align(nwgpu_context * context) override
    {
        estimate_ = NWGPU_ESTIMATE_INIT;
        return nwgpu_align_estimate(context, made_queries_.get(), made_targets_.get(), nullptr, 0, &scoring_, &options_,
                                    &estimate_, nullptr);
    }
    nwgpu_estimate estimate_ = NWGPU_ESTIMATE_INIT;
};

// Matrices by name and as text.
class Matrices final : public Call {
public:
    using Call::Call;
    nwgpu_status run(nwgpu_context *) override
    {
        nwgpu_matrix * made = nullptr;
        nwgpu_status status = nwgpu_matrix_create("BLOSUM45", &made, nullptr);
        named_ = Matrix{made};
        if (status != NWGPU_OK)
            return status;
        char const text[] = "# a comment\n  A C X\nA 2 -1 0\nC -1 2 0\nX 0 0 -3\n";
        made = nullptr;
        status = nwgpu_matrix_parse(text, std::strlen(text), &made, nullptr);
        parsed_ = Matrix{made};
        return status;
    }
    Strings answer() const override
    {
        std::string text = nwgpu_matrix_letters(parsed_.get());
        for (uint32_t k = 0; k < 9; ++k)
            text += ' ' + std::to_string(nwgpu_matrix_scores(parsed_.get())[k]);
        return {text, nwgpu_matrix_letters(named_.get())};
    }
    void clear() override
    {
        named_ = none();
        parsed_ = none();
    }

private:
    static Matrix none() { return Matrix{static_cast<nwgpu_matrix *>(nullptr)}; }

    Matrix named_ = none(), parsed_ = none();
};

// What needs no sequences handle: facts and CIGARs.  Texts that cannot be made for want of memory are empty.
class Helpers final : public Call {
public:
    using Call::Call;
    nwgpu_status run(nwgpu_context *) override
    {
        // 20=1X2D7I
        constexpr uint32_t runs[] = {20 << 4 | 7, 1 << 4 | 8, 2 << 4 | 2, 7 << 4 | 1};
        if (nwgpu_cigar_to_text(runs, 4, text_, sizeof text_) == 0)
            return NWGPU_ERROR_OUT_OF_HOST_MEMORY;
        if (nwgpu_status const status = nwgpu_device_describe(NWGPU_BACKEND_CPU, 0, &device_, nullptr);
            status != NWGPU_OK)
            return status;
        if (*nwgpu_build_info() == '\0')
            return NWGPU_ERROR_OUT_OF_HOST_MEMORY;
        nwgpu_algorithm_info algorithm = NWGPU_ALGORITHM_INFO_INIT;
        if (nwgpu_status const status = nwgpu_algorithm_describe(1, &algorithm, nullptr); status != NWGPU_OK)
            return status;
        nwgpu_scoring const scoring = dna_scoring();
        uint8_t const letters[] = {'A', 'C', 'A', 'C', 'G'};
        uint32_t const whole[] = {5 << 4 | 7};
        return nwgpu_cigar_score(letters, 5, letters, 5, &scoring, whole, 1, &score_, nullptr);
    }
    Strings answer() const override { return {text_, device_.summary, std::to_string(score_)}; }
    void clear() override {}

private:
    char text_[64] = {};
    nwgpu_device_info device_ = NWGPU_DEVICE_INFO_INIT;
    int64_t score_ = 0;
};

// A context, beside the one that is there.
class NewContext final : public Call {
public:
    using Call::Call;
    nwgpu_status run(nwgpu_context *) override
    {
        nwgpu_status status = NWGPU_OK;
        made_ = try_context(2, &status);
        return status;
    }
    Strings answer() const override { return {nwgpu_context_backend_name(made_.get())}; }
    void clear() override { made_ = none(); }

private:
    static Context none() { return Context{static_cast<nwgpu_context *>(nullptr)}; }

    Context made_ = none();
};

constexpr char dna[] = "ACGT";

nwgpu_scoring protein_scoring()
{
    static Matrix const matrix{"BLOSUM62"};
    return matrix.scoring(11, 1);
}

nwgpu_scoring linear_scoring()
{
    nwgpu_scoring scoring = dna_scoring();
    scoring.gap_open = 0;
    return scoring;
}

nwgpu_align_options banded(nwgpu_align_options options)
{
    static constexpr nwgpu_band band = {sizeof(nwgpu_band), -20, 20};
    options.band = &band;
    return options;
}

nwgpu_align_options with_free_target_ends(nwgpu_align_options options)
{
    options.mode = NWGPU_MODE_FREE_ENDS;
    options.free_ends = NWGPU_FREE_TARGET_BEGIN | NWGPU_FREE_TARGET_END;
    return options;
}

nwgpu_align_options with_ties(nwgpu_align_options options)
{
    options.ties = NWGPU_TIES_GAPS_FIRST;
    return options;
}

nwgpu_align_options with_top(nwgpu_align_options options)
{
    static constexpr nwgpu_top top = {sizeof(nwgpu_top), 3};
    options.top = &top;
    return options;
}

nwgpu_align_options with_checkpoint(std::string const & folder, nwgpu_align_options options)
{
    static std::string place; // for as long as the options point to it
    place = folder;
    static nwgpu_checkpoint checkpoint = NWGPU_CHECKPOINT_INIT;
    checkpoint.folder = place.c_str();
    checkpoint.seconds = 1e-6;
    checkpoint.resume = 1;
    options.checkpoint = &checkpoint;
    return options;
}

// nwgpu_align by a published algorithm.
class Published final : public Align {
public:
    using Align::Align;

private:
    nwgpu_status align(nwgpu_context * context) override
    {
        nwgpu_status status = nwgpu_context_set_algorithm(context, "cpu4-mt-diagrow:rows=64,cols=64", nullptr);
        if (status != NWGPU_OK)
            return status;
        status = Align::align(context);
        nwgpu_status const reset = nwgpu_context_set_algorithm(context, nullptr, nullptr);
        return status == NWGPU_OK ? reset : status;
    }
};

} // namespace

Context try_context(int threads, nwgpu_status * status)
{
    nwgpu_context_options const options = cpu_options(threads);
    nwgpu_context * made = nullptr;
    nwgpu_status const result = nwgpu_context_create(&options, &made, nullptr);
    if (status)
        *status = result;
    return Context{made};
}

std::vector<std::unique_ptr<Call>> all_calls(std::string const & folder)
{
    Random random{17};
    std::vector<SequencePair> reads, longer_reads, proteins;
    for (int k = 0; k < 40; ++k)
        reads.push_back(random_pair(random, Model::mutated, 90 + random.below(8), 95, dna));
    reads.push_back({"", "ACGT"});
    reads.push_back({"AC!T", "ACGT"}); // has a status of its own
    reads.push_back(random_pair(random, Model::uniform, 700, 30, dna));
    for (int k = 0; k < 140; ++k) // so many that lanes take them, and look for their paths later
        longer_reads.push_back(random_pair(random, Model::mutated, 600, 620, dna, k % 20 == 0 ? 0.9 : 0.03));
    for (int k = 0; k < 6; ++k)
        proteins.push_back(random_pair(random, Model::mutated, 80, 90, "ARNDCQEGHILKMFPSTWYV"));
    auto const pair = [&](Model model, uint64_t m, uint64_t n) {
        return std::vector<SequencePair>{random_pair(random, model, m, n, dna)};
    };
    // More than 2e7 cells: all threads share it.
    auto const similar = pair(Model::mutated, 5000, 4800), strange = pair(Model::uniform, 5200, 4200);
    auto const few = pair(Model::structured, 300, 280);

    nwgpu_align_options const path = align_options(), local = align_options(NWGPU_OUTPUT_CIGAR, NWGPU_MODE_LOCAL),
                              score = align_options(NWGPU_OUTPUT_SCORE);
    std::vector<std::unique_ptr<Call>> calls;
    auto const add = [&]<class T>(std::unique_ptr<T> call) { calls.push_back(std::move(call)); };
    auto const align = [&](char const * name, std::vector<SequencePair> const & pairs, nwgpu_align_options const & how,
                           nwgpu_scoring const & scoring = dna_scoring()) {
        add(std::make_unique<Align>(name, pairs, scoring, how));
    };
    align("Reads", reads, path);
    align("ReadsLocal", reads, local);
    align("LongerReads", longer_reads, with_free_target_ends(path));
    align("Proteins", proteins, path, protein_scoring());
    align("ProteinsLocal", proteins, local, protein_scoring());
    align("LongSimilar", similar, path);
    align("LongStrange", strange, path);
    align("LongLocal", strange, local);
    align("LongProteinScores", similar, score, protein_scoring());
    align("Band", few, banded(path));
    align("OtherTies", few, with_ties(path));
    align("Top", few, with_top(local));
    align("LongTop", strange, with_top(local));
    // Longer than the first slab of four threads.
    align("Checkpoint", pair(Model::uniform, 40'000, 120), with_checkpoint(folder, path));
    add(std::make_unique<Published>("Published", few, linear_scoring(), path));
    add(std::make_unique<Traceback>("Traceback", reads, dna_scoring(), score));
    add(std::make_unique<EstimateCall>("Estimate", reads, dna_scoring(), path));
    add(std::make_unique<Matrices>("Matrices"));
    add(std::make_unique<Helpers>("Helpers"));
    add(std::make_unique<NewContext>("NewContext"));
    return calls;
}

} // namespace nwgpu::test
